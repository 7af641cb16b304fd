import { DataModule } from '../../database/data-module.js';
import { ClientFailuresSchema, FactorFailuresSchema, LoginFailuresSchema } from './login-failures.schema.js';
import { FactorFailuresRepository, LoginFailuresRepository } from './login-failures.repository.js';
import { LoginSessionsRepository } from './login-sessions.repository.js';
import { SecondFactorsRepository } from './second-factors.repository.js';
import { UsedChallengeSchema } from './used-challenge.schema.js';
import { UsedChallengesRepository } from './used-challenges.repository.js';
import { UserSchema } from './user.schema.js';
import { UsersRepository } from './users.repository.js';

@DataModule({
  models: {
    User: UserSchema,
    LoginFailures: LoginFailuresSchema,
    FactorFailures: FactorFailuresSchema,
    ClientFailures: ClientFailuresSchema,
    UsedChallenge: UsedChallengeSchema,
  },
  providers: [
    UsersRepository,
    LoginSessionsRepository,
    SecondFactorsRepository,
    UsedChallengesRepository,
    LoginFailuresRepository,
    FactorFailuresRepository,
  ],
})
export class UsersDataModule {}
