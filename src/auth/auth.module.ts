import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AuthModuleOptions } from '@nestjs/passport';
import { AccessGuard } from '../common/access/access.guard.js';
import { BodyGuard } from '../common/access/body.guard.js';
import { PrincipalResolver } from '../common/access/resolvers.js';
import { SocketUpgrades } from '../common/http/socket-upgrades.js';
import { AppConfig } from '../config/app-config.js';
import { AccessKeysModule } from '../access-keys/access-keys.module.js';
import { AccessKeySchema } from '../access-keys/data/access-key.schema.js';
import { ServiceAccountSchema } from '../access-keys/data/service-account.schema.js';
import { InvitesModule } from '../invites/invites.module.js';
import { MailModule } from '../mail/mail.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountAdmin } from './account-admin.js';
import { AccountMails } from './account-mails.js';
import { AccountService } from './account.service.js';
import { BasicStrategy } from './basic.strategy.js';
import { Callers } from './callers.js';
import { CurrentUserController } from './current-user.controller.js';
import { modelsOf } from '../database/data-module.js';
import { ItemSchema } from '../items/data/item.schema.js';
import { OrgSchema } from '../orgs/data/org.schema.js';
import { UserSchema } from '../users/data/user.schema.js';
import { CallersQueries } from './data/callers.queries.js';
import { LimitedItemsQueries } from './data/limited-items.queries.js';
import { KeyCallers } from './key-callers.js';
import { KeyStrategy } from './key.strategy.js';
import { jwtStrategies, StrategyNames } from './jwt.strategy.js';
import { LoginController } from './login.controller.js';
import { PasswordsService } from './passwords.service.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService } from './registration.service.js';
import { VerificationService } from './verification.service.js';
import { LockoutGuard } from './lockout.guard.js';
import { LoginAttempts } from './login-attempts.js';
import { LoginLockout } from './login-lockout.js';
import { LoginService } from './login.service.js';
import { FactorLockout } from './factors/factor-lockout.js';
import { FactorProofs } from './factors/factor-proofs.js';
import { FreshProofs } from './factors/fresh-proofs.js';
import { OwnFactors } from './factors/own-factors.js';
import { OwnFactorsController } from './factors/own-factors.controller.js';
import { Passkeys } from './factors/passkeys.js';
import { Rescue } from './factors/rescue.js';
import { RescueController } from './factors/rescue.controller.js';
import { SecondStep } from './factors/second-step.js';
import { SecondStepController } from './factors/second-step.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { Sessions } from './sessions/sessions.service.js';
import { StoredPrincipalResolver } from './stored-principal-resolver.js';
import { Superuser } from './superuser.js';
import { signingKey, Tokens } from './tokens.js';

@Module({
  imports: [
    modelsOf({
      User: UserSchema,
      Org: OrgSchema,
      AccessKey: AccessKeySchema,
      ServiceAccount: ServiceAccountSchema,
      Item: ItemSchema,
    }),
    UsersModule,
    InvitesModule,
    MailModule,
    OrgsModule,
    AccessKeysModule,
    JwtModule.registerAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({ secret: signingKey(config) }),
    }),
  ],
  controllers: [
    LoginController,
    SecondStepController,
    CurrentUserController,
    SessionsController,
    OwnFactorsController,
    RegistrationController,
    RescueController,
  ],
  providers: [
    CallersQueries,
    LimitedItemsQueries,
    { provide: PrincipalResolver, useClass: StoredPrincipalResolver },
    AccessGuard,
    BodyGuard,
    SocketUpgrades,
    StrategyNames,
    {
      provide: AuthModuleOptions,
      inject: [StrategyNames],
      useFactory: ({ apiKey, login, replay, key, basic }: StrategyNames): AuthModuleOptions => ({
        // The key first: it takes or leaves a request by the look of its token.
        defaultStrategy: [apiKey, login, replay, key, basic],
      }),
    },
    ...jwtStrategies,
    BasicStrategy,
    KeyStrategy,
    KeyCallers,
    Callers,
    Tokens,
    Sessions,
    LoginLockout,
    LoginAttempts,
    LockoutGuard,
    LoginService,
    Passkeys,
    FactorLockout,
    FactorProofs,
    FreshProofs,
    SecondStep,
    OwnFactors,
    Rescue,
    AccountMails,
    AccountAdmin,
    AccountService,
    PasswordsService,
    RegistrationService,
    VerificationService,
    Superuser,
  ],
  exports: [Tokens, Sessions, SecondStep, Passkeys, PrincipalResolver],
})
export class AuthModule {}
