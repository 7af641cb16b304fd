import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountsByIdentity } from './accounts-by-identity.js';
import { SignInDataModule } from './data/sign-in-data.module.js';
import { ForgottenAccounts } from './forgotten-accounts.js';
import { MappedOrgs } from './mapped-orgs.js';
import { Providers } from './providers.js';
import { SignInCookie } from './sign-in-cookie.js';
import { SignInRefusals } from './sign-in-refusals.js';
import { SignInController } from './sign-in.controller.js';
import { SignIn } from './sign-in.service.js';

/** Signs people in by providers of OpenID Connect, beside the log-in with a password. */
@Module({
  imports: [SignInDataModule, AuthModule, OrgsModule, UsersModule],
  controllers: [SignInController],
  providers: [SignIn, Providers, SignInCookie, AccountsByIdentity, MappedOrgs, ForgottenAccounts, SignInRefusals],
})
export class SignInModule {}
