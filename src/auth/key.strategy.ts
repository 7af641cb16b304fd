import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { KeyInUrl } from '../access-keys/access-keys.errors.js';
import { KEY_START, keyIdIn } from '../access-keys/rules/key-text.js';
import { oidOf } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { bearerToken, tokenOf } from '../common/access/token.js';
import { InvalidCredentials } from '../common/errors/domain-error.js';
import { StrategyNames } from './jwt.strategy.js';
import { KeyCallers, seenFrom } from './key-callers.js';
import { RequestStrategy } from '../common/access/request-strategy.js';

/** Finds callers by the API key of `Authorization: Bearer mnm_…`. What begins so is nothing else. */
@Injectable()
export class KeyStrategy extends RequestStrategy {
  constructor(
    names: StrategyNames,
    private readonly callers: KeyCallers,
  ) {
    super(names.apiKey);
  }

  protected override takes(request: Request): boolean {
    return tokenOf(request)?.startsWith(KEY_START) ?? false;
  }

  protected override refusal(): InvalidCredentials {
    return new InvalidCredentials();
  }

  /** @throws KeyInUrl, KeyExpired, KeyAddressRefused */
  protected override async find(request: Request): Promise<CallerAndOrg | null> {
    const text = tokenOf(request) ?? '';
    if (bearerToken(request.headers, {}) !== text) throw new KeyInUrl();
    const keyId = keyIdIn(text);
    return keyId === null ? null : this.callers.find(keyId, { by: 'key', text }, seenFrom(request, oidOf(request)));
  }
}
