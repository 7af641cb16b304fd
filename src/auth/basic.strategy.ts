import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { KEY_START, keyIdIn } from '../access-keys/rules/key-text.js';
import { oidOf } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { InvalidCredentials } from '../common/errors/domain-error.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { BadCredentials } from './auth.errors.js';
import { Callers } from './callers.js';
import { StrategyNames } from './jwt.strategy.js';
import { KeyCallers, seenFrom } from './key-callers.js';
import { LoginAttempts } from './login-attempts.js';
import { LoginService } from './login.service.js';
import { RequestStrategy } from '../common/access/request-strategy.js';

/** Paths whose clients know no tokens. Everywhere else a password opens nothing but the login. */
const BY_PASSWORD = /^\/wasapi\/v1\//;

/** As `InvalidCredentials`, and tells clients to send name and password. */
class PasswordNeeded extends InvalidCredentials {
  override readonly headers = { 'WWW-Authenticate': 'Basic realm="Muniment", charset="UTF-8"' };
}

/** Finds callers by the name and password of HTTP Basic, behind the same lock as the login, or by an API key. */
@Injectable()
export class BasicStrategy extends RequestStrategy {
  constructor(
    names: StrategyNames,
    private readonly attempts: LoginAttempts,
    private readonly logins: LoginService,
    private readonly callers: Callers,
    private readonly keys: KeyCallers,
  ) {
    super(names.basic);
  }

  protected override takes({ path }: Request): boolean {
    return BY_PASSWORD.test(path);
  }

  protected override refusal(): PasswordNeeded {
    return new PasswordNeeded();
  }

  /** @throws TooManyLoginAttempts, KeyNeeded */
  protected override async find(request: Request): Promise<CallerAndOrg | null> {
    const given = credentialsOf(request.headers.authorization);
    if (!given) return null;
    // A key can't be guessed, so nobody locks it by guessing.
    if (given.password.startsWith(KEY_START)) return this.byKey(given, request);
    try {
      const attempt = await this.attempts.admit(given.username, request);
      const user = await this.logins.identify(attempt, given.password);
      return user && (await this.callers.find({ userId: user.id, sid: null }, { oid: oidOf(request), ip: '' }));
    } catch (error) {
      if (error instanceof BadCredentials) return null;
      throw error;
    }
  }

  /** As at the log-in, the name is the key's id. @throws KeyExpired, KeyAddressRefused */
  private byKey({ username, password: text }: NameAndPassword, request: Request): Promise<CallerAndOrg | null> {
    const keyId = keyIdIn(text);
    if (keyId === null || canonicalUuid(username) !== keyId) return Promise.resolve(null);
    return this.keys.find(keyId, { by: 'key', text }, seenFrom(request, oidOf(request)));
  }
}

interface NameAndPassword {
  readonly username: string;
  readonly password: string;
}

/** RFC 7617: the name ends at the first colon. */
function credentialsOf(header: string | undefined): NameAndPassword | null {
  const [, encoded = ''] = /^basic +([\w+/=-]+) *$/i.exec(header ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon > 0 ? { username: text.slice(0, colon), password: text.slice(colon + 1) } : null;
}
