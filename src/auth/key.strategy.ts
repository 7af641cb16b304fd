import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Request } from 'express';
import passport from 'passport';
import { KeyInUrl } from '../access-keys/access-keys.errors.js';
import { KEY_START, keyIdIn } from '../access-keys/rules/key-text.js';
import { oidOf } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { bearerToken, tokenOf } from '../common/access/token.js';
import { InvalidCredentials } from '../common/errors/domain-error.js';
import { StrategyNames } from './jwt.strategy.js';
import { KeyCallers, seenFrom } from './key-callers.js';

/** Finds callers by the API key of `Authorization: Bearer mnm_…`. What begins so is nothing else. */
@Injectable()
export class KeyStrategy extends passport.Strategy implements OnApplicationShutdown {
  constructor(
    names: StrategyNames,
    private readonly callers: KeyCallers,
  ) {
    super();
    this.name = names.key;
    passport.use(this);
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name ?? '');
  }

  override authenticate(request: Request): void {
    const token = tokenOf(request);
    if (!token?.startsWith(KEY_START)) return this.fail();
    this.find(token, request).then(
      (caller) => (caller ? this.success(caller) : this.error(new InvalidCredentials())),
      (error: unknown) => this.error(error),
    );
  }

  /** @throws KeyInUrl, KeyExpired, KeyAddressRefused */
  private async find(text: string, request: Request): Promise<CallerAndOrg | null> {
    if (bearerToken(request.headers, {}) !== text) throw new KeyInUrl();
    const keyId = keyIdIn(text);
    return keyId === null ? null : this.callers.find(keyId, { by: 'key', text }, seenFrom(request, oidOf(request)));
  }
}
