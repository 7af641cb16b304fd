import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AuthModuleOptions } from '@nestjs/passport';
import { PrincipalResolver } from '../common/access/resolvers.js';
import { AppConfig } from '../config/app-config.js';
import { InvitesModule } from '../invites/invites.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountAdmin } from './account-admin.js';
import { AccountMails } from './account-mails.js';
import { AccountService } from './account.service.js';
import { Callers } from './callers.js';
import { CurrentUserController } from './current-user.controller.js';
import { AuthDataModule } from './data/auth-data.module.js';
import { jwtStrategies, StrategyNames } from './jwt.strategy.js';
import { LoginController } from './login.controller.js';
import { PasswordsService } from './passwords.service.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService } from './registration.service.js';
import { VerificationService } from './verification.service.js';
import { LockoutGuard } from './lockout.guard.js';
import { LoginLockout } from './login-lockout.js';
import { LoginService } from './login.service.js';
import { StoredPrincipalResolver } from './stored-principal-resolver.js';
import { Superuser } from './superuser.js';
import { signingKey, Tokens } from './tokens.js';

@Global()
@Module({
  imports: [
    AuthDataModule,
    UsersModule,
    InvitesModule,
    OrgsModule,
    JwtModule.registerAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({ secret: signingKey(config) }),
    }),
  ],
  controllers: [LoginController, CurrentUserController, RegistrationController],
  providers: [
    { provide: PrincipalResolver, useClass: StoredPrincipalResolver },
    StrategyNames,
    {
      provide: AuthModuleOptions,
      inject: [StrategyNames],
      useFactory: ({ login, replay }: StrategyNames): AuthModuleOptions => ({ defaultStrategy: [login, replay] }),
    },
    ...jwtStrategies,
    Callers,
    Tokens,
    LoginLockout,
    LockoutGuard,
    LoginService,
    AccountMails,
    AccountAdmin,
    AccountService,
    PasswordsService,
    RegistrationService,
    VerificationService,
    Superuser,
  ],
  exports: [PrincipalResolver, AuthModuleOptions, Tokens],
})
export class AuthModule {}
