import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ClientFailures, ClientFailuresSchema, LoginFailures, LoginFailuresSchema } from './login-failures.schema.js';
import { LoginFailuresRepository } from './login-failures.repository.js';
import { User, UserSchema } from './user.schema.js';
import { UsersRepository } from './users.repository.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: User.name, schema: UserSchema },
      { name: LoginFailures.name, schema: LoginFailuresSchema },
      { name: ClientFailures.name, schema: ClientFailuresSchema },
    ]),
  ],
  providers: [UsersRepository, LoginFailuresRepository],
  exports: [UsersRepository, LoginFailuresRepository],
})
export class UsersDataModule {}
