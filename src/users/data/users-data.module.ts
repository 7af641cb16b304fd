import { DataModule } from '../../database/data-module.js';
import { ClientFailuresSchema, LoginFailuresSchema } from './login-failures.schema.js';
import { LoginFailuresRepository } from './login-failures.repository.js';
import { LoginSessionsRepository } from './login-sessions.repository.js';
import { UserSchema } from './user.schema.js';
import { UsersRepository } from './users.repository.js';

@DataModule({
  models: { User: UserSchema, LoginFailures: LoginFailuresSchema, ClientFailures: ClientFailuresSchema },
  providers: [UsersRepository, LoginSessionsRepository, LoginFailuresRepository],
})
export class UsersDataModule {}
