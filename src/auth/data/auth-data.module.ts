import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Org, OrgSchema } from '../../orgs/data/org.schema.js';
import { User, UserSchema } from '../../users/data/user.schema.js';
import { CallersQueries } from './callers.queries.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: User.name, schema: UserSchema },
      { name: Org.name, schema: OrgSchema },
    ]),
  ],
  providers: [CallersQueries],
  exports: [CallersQueries],
})
export class AuthDataModule {}
