import { createHash, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import passport from 'passport';
import type { Request, Response } from 'express';
import type { Principal } from '../common/access/access.js';
import { PrincipalResolver, type CallerAndOrg, type RequestedUse } from '../common/access/resolvers.js';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { CallersQueries } from './data/callers.queries.js';
import { jwtStrategy } from './jwt.strategy.js';
import { opensReplay } from './replay-scope.js';
import { TokenIssuer } from './token-issuer.js';

export const toPrincipal = (user: User): Principal => ({
  id: user.id,
  email: user.email,
  name: user.name,
  isSuperuser: user.is_superuser,
  isVerified: user.is_verified,
});

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Callers by login token, or by the automation client's shared secret. Contract: accounts §2.1, §2.4. */
@Injectable()
export class StoredPrincipalResolver extends PrincipalResolver {
  private readonly key: KeyObject;

  constructor(
    private readonly users: UsersRepository,
    private readonly callers: CallersQueries,
    private readonly tokens: TokenIssuer,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    super();
    this.key = createSecretKey(config.auth.passwordSecret.reveal(), 'utf8');
  }

  override fromToken(token: string, use?: RequestedUse): Promise<Principal | null> {
    return this.identify(token, use, async (userId) => {
      const user = await this.users.findById(userId);
      return user && toPrincipal(user);
    });
  }

  override withOrg(token: string, oid: string, use?: RequestedUse): Promise<CallerAndOrg | null> {
    return this.identify(token, use, async (userId) => {
      const { user, org } = await this.callers.userAndOrg(userId, oid);
      return user && { principal: toPrincipal(user), org };
    });
  }

  /** @param load what is known of the user whose id a good token tells */
  private async identify<T extends object>(
    token: string,
    use: RequestedUse | undefined,
    load: (userId: string) => Promise<T | null>,
  ): Promise<T | null> {
    return (await this.fromLogin(token, load)) ?? (use ? this.fromReplay(token, use, load) : null);
  }

  /** A token that shows one item or collection stands for the user who asked for it, for these reads only. */
  private async fromReplay<T>(
    token: string,
    use: RequestedUse,
    load: (userId: string) => Promise<T | null>,
  ): Promise<T | null> {
    const claims = await this.tokens.readReplay(token);
    return claims && opensReplay(claims.scope, use) ? load(claims.userId) : null;
  }

  private fromLogin<T extends object>(token: string, load: (userId: string) => Promise<T | null>): Promise<T | null> {
    const strategy = jwtStrategy(this.key, Math.floor(this.clock.nowMs() / 1000), load);
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, found?: unknown): void =>
        error ? reject(error as Error) : resolve((found as T | false | undefined) || null);
      const authenticate = passport.authenticate(strategy, { session: false }, settle) as (
        ...args: [Request, Response, (error?: unknown) => void]
      ) => void;
      authenticate({ token } as unknown as Request, {} as Response, settle);
    });
  }

  override async fromSharedSecret(secret: string, use: 'org-create' | 'subscriptions'): Promise<Principal | null> {
    const { sharedSecret, sharedSecretOpensSubscriptions } = this.config.auth;
    if (!sharedSecret.isSet) return null;
    if (use === 'subscriptions' && !sharedSecretOpensSubscriptions) return null;
    // Digests are of one length, so the comparison tells nothing about the secret's.
    if (!timingSafeEqual(digest(secret), digest(sharedSecret.reveal()))) return null;
    const superuser = await this.users.findSuperuser();
    return superuser && toPrincipal(superuser);
  }
}
