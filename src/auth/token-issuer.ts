import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../common/clock/clock.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import type { ReplayScope } from './replay-scope.js';

/** What tokens are for: the audience issued, and the one of the earlier implementation (accounts §2.1). */
export const AUDIENCE = {
  login: ['btrix:auth', 'fastapi-users:auth'],
  reset: ['btrix:reset', 'fastapi-users:reset'],
  verify: ['btrix:verify', 'fastapi-users:verify'],
  /** Ours alone; a token is for one use, so the second name is the first. */
  replay: ['muniment:replay', 'muniment:replay'],
} as const satisfies Record<string, readonly [string, string]>;

/** Lifetime of the tokens in mails, minutes. */
const MAIL_TOKEN_MINUTES = 60;

/** Ties a reset token to the password it replaces: any change of it ends the token (D24). */
export const passwordMark = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, 16);

/** Long enough to look through an item, short enough that a copied token is soon worth nothing. */
const REPLAY_TOKEN_MINUTES = 240;

interface ReplayClaims {
  sub?: unknown;
  oid?: unknown;
  kind?: unknown;
  id?: unknown;
}

interface MailClaims {
  user_id?: unknown;
  email?: unknown;
  pwd?: unknown;
}

/** Signs the kinds of tokens, and reads those that come back from mails. HS256 and nothing else. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly jwt: JwtService,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  forLogin(userId: string): Promise<string> {
    return this.sign({ sub: userId, aud: AUDIENCE.login[0] }, this.config.auth.tokenLifetimeMinutes);
  }

  forReset(user: { id: string; hashed_password: string }): Promise<string> {
    const pwd = passwordMark(user.hashed_password);
    return this.sign({ user_id: user.id, aud: AUDIENCE.reset[0], pwd }, MAIL_TOKEN_MINUTES);
  }

  forVerification(user: { id: string; email: string }): Promise<string> {
    return this.sign({ user_id: user.id, email: user.email, aud: AUDIENCE.verify[0] }, MAIL_TOKEN_MINUTES);
  }

  /** For what the user may read anyway: it opens less than a login, never more. ADR 0005. */
  async forReplay(userId: string, { oid, kind, id }: ReplayScope): Promise<{ token: string; expiresAt: Date }> {
    const token = await this.sign({ sub: userId, aud: AUDIENCE.replay[0], oid, kind, id }, REPLAY_TOKEN_MINUTES);
    return { token, expiresAt: new Date(this.clock.nowMs() + minutes(REPLAY_TOKEN_MINUTES)) };
  }

  /** @returns null for anything but a valid replay token */
  async readReplay(token: string): Promise<{ userId: string; scope: ReplayScope } | null> {
    const claims = (await this.verify(token, AUDIENCE.replay)) as ReplayClaims | null;
    const { oid, kind, id } = claims ?? {};
    const userId = typeof claims?.sub === 'string' ? canonicalUuid(claims.sub) : null;
    const isScope = typeof oid === 'string' && typeof id === 'string' && (kind === 'item' || kind === 'collection');
    return userId !== null && isScope ? { userId, scope: { oid, kind, id } } : null;
  }

  /** @returns null for anything but a valid reset token; `mark` is null in tokens of the earlier implementation */
  async readReset(token: string): Promise<{ userId: string; mark: string | null } | null> {
    const claims = await this.verify(token, AUDIENCE.reset);
    const userId = typeof claims?.user_id === 'string' ? canonicalUuid(claims.user_id) : null;
    if (!claims || userId === null) return null;
    return { userId, mark: typeof claims.pwd === 'string' ? claims.pwd : null };
  }

  /** @returns null for anything but a valid verification token */
  async readVerification(token: string): Promise<{ userId: string; email: string } | null> {
    const claims = await this.verify(token, AUDIENCE.verify);
    const userId = typeof claims?.user_id === 'string' ? canonicalUuid(claims.user_id) : null;
    return userId !== null && typeof claims?.email === 'string' ? { userId, email: claims.email } : null;
  }

  private sign(claims: Record<string, string>, lifetimeMinutes: number): Promise<string> {
    const exp = Math.floor((this.clock.nowMs() + minutes(lifetimeMinutes)) / 1000);
    return this.jwt.signAsync({ ...claims, exp }, { algorithm: 'HS256', noTimestamp: true });
  }

  private async verify(token: string, audience: readonly [string, string]): Promise<MailClaims | null> {
    try {
      return await this.jwt.verifyAsync<MailClaims>(token, {
        algorithms: ['HS256'],
        audience: [...audience],
        clockTimestamp: Math.floor(this.clock.nowMs() / 1000),
      });
    } catch {
      // Signature, form, expiry or audience: to the caller they are all "bad token".
      return null;
    }
  }
}
