import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { reachOf } from '../access-keys/rules/limited-routes.js';
import type { KeyGrant, Principal, SecretUse } from '../common/access/access.js';
import { PrincipalResolver, type CallerAndOrg } from '../common/access/resolvers.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { AppConfig } from '../config/app-config.js';
import { Callers } from './callers.js';
import { LimitedItemsQueries } from './data/limited-items.queries.js';
import { Tokens } from './tokens.js';

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Finds callers by the automation client's shared secret, and callers of sockets. Contract: accounts §2.1, §2.4. */
@Injectable()
export class StoredPrincipalResolver extends PrincipalResolver {
  constructor(
    private readonly callers: Callers,
    private readonly tokens: Tokens,
    private readonly items: LimitedItemsQueries,
    private readonly config: AppConfig,
  ) {
    super();
  }

  override async fromLogin(token: string, oid: string | null): Promise<CallerAndOrg | null> {
    const login = await this.tokens.readLogin(token);
    return login && this.callers.find(login, { oid, ip: '' });
  }

  override hasEnded(caller: Principal): Promise<boolean> {
    return this.callers.hasEnded(caller);
  }

  /** Whatever is not reached is answered alike, whether it is there or not. */
  override async reaches({ only }: KeyGrant, { method, params, query, route }: Request): Promise<boolean> {
    if (!only) return true;
    const { path } = route as { path: string };
    const reach = reachOf(only, { method, route: path, params, query });
    if (typeof reach === 'string') return reach === 'open';
    return canonicalUuid(reach.oid) !== null && this.items.isWithin(only, reach);
  }

  override async fromSharedSecret(secret: string, use: SecretUse): Promise<Principal | null> {
    const { sharedSecret, sharedSecretOpensSubscriptions } = this.config.auth;
    if (!sharedSecret.isSet) return null;
    if (use === 'subscriptions' && !sharedSecretOpensSubscriptions) return null;
    // Digests have one length, so the comparison tells nothing about the length of the secret.
    if (!timingSafeEqual(digest(secret), digest(sharedSecret.reveal()))) return null;
    return this.callers.superuser();
  }
}
