import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import passport from 'passport';
import type { Request, Response } from 'express';
import type { Principal } from '../common/access/access.js';
import { PrincipalResolver } from '../common/access/resolvers.js';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { jwtStrategy } from './jwt.strategy.js';

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
  constructor(
    private readonly users: UsersRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    super();
  }

  override fromToken(token: string): Promise<Principal | null> {
    const seconds = Math.floor(this.clock.nowMs() / 1000);
    const load = async (userId: string): Promise<Principal | null> => {
      const user = await this.users.findById(userId);
      return user && toPrincipal(user);
    };
    const strategy = jwtStrategy(this.config.auth.passwordSecret.reveal(), seconds, load);
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, user?: unknown): void =>
        error ? reject(error as Error) : resolve((user as Principal | false | undefined) || null);
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
