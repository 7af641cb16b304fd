import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { KeyGrant, OwnSession, Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import type { ReplayScope } from './replay-scope.js';

/** Audience by kind of token: the one issued, and the one of the earlier implementation (accounts §2.1). */
const AUDIENCE = {
  login: ['btrix:auth', 'fastapi-users:auth'],
  reset: ['btrix:reset', 'fastapi-users:reset'],
  verify: ['btrix:verify', 'fastapi-users:verify'],
  /** The reference does not have this audience. */
  replay: ['muniment:replay'],
  /** A login by API key. It has an audience of its own, so that it is taken for a person's nowhere. */
  key: ['muniment:key'],
  /** Steps of a log-in, and of setting up a second factor. They open no route but the step's. ADR 0056. */
  secondStep: ['muniment:second-step'],
  passkeyLogin: ['muniment:passkey-login'],
  totpSetup: ['muniment:totp-setup'],
  passkeySetup: ['muniment:passkey-setup'],
  /** Tokens of jobs inside the deployment; another program issues them. */
  job: ['btrix:custom-auth'],
} as const satisfies Record<string, readonly [string, ...string[]]>;
type TokenKind = keyof typeof AUDIENCE;
/** A step of something that takes several. */
export type StepKind = 'secondStep' | 'passkeyLogin' | 'totpSetup' | 'passkeySetup';

const ALGORITHMS = ['HS256'] as const;

/** A key object, because jsonwebtoken tries to read a text as a public key first, 0.4 ms a token. */
export const signingKey = ({ auth }: AppConfig): KeyObject => createSecretKey(auth.passwordSecret.reveal(), 'utf8');

/** Lifetime of the tokens in mails, minutes. */
const MAIL_TOKEN_MINUTES = 60;

/** Ties a reset token to the password that it replaces, so that a change of the password ends the token (D24). */
export const passwordMark = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, 16);

/** Long enough to look through an item; short enough that a copied token is soon worthless. */
const REPLAY_TOKEN_MINUTES = 240;

/** Long enough to look for a phone. */
export const STEP_MINUTES = 5;

/** A token's content. Only signature and audience have been checked. */
export interface Claims {
  readonly exp?: unknown;
  readonly sub?: unknown;
  /** The subject of tokens in mails, and of logins of the earlier implementation. */
  readonly user_id?: unknown;
  /** Session of a login; missing in those of the earlier implementation. */
  readonly sid?: unknown;
  readonly email?: unknown;
  readonly pwd?: unknown;
  readonly oid?: unknown;
  readonly kind?: unknown;
  readonly id?: unknown;
  readonly sub_type?: unknown;
  readonly key?: unknown;
  /** Of steps: what they keep between two requests. */
  readonly step?: unknown;
}

/** For whom a token stands, and in which session it was given; null: in none. */
export interface LoginClaims {
  readonly userId: string;
  readonly sid: string | null;
}

const idIn = (claim: unknown): string | null => (typeof claim === 'string' ? canonicalUuid(claim) : null);

/** Issues and reads every kind of token, with HS256 only. */
@Injectable()
export class Tokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** The token ends with the session, at the latest. */
  forLogin(userId: string, { id: sid, until }: OwnSession): Promise<string> {
    const left = (until.getTime() - this.clock.nowMs()) / minutes(1);
    return this.sign(
      { sub: userId, aud: AUDIENCE.login[0], sid },
      Math.min(this.config.auth.tokenLifetimeMinutes, left),
    );
  }

  /** The token is worth what the key is, as long as the key is. */
  forKey({ id: keyId, expiresAt: until }: KeyGrant): Promise<string> {
    const lifetime = this.config.auth.tokenLifetimeMinutes;
    const left = until ? (until.getTime() - this.clock.nowMs()) / minutes(1) : lifetime;
    return this.sign({ key: keyId, aud: AUDIENCE.key[0] }, Math.min(lifetime, left));
  }

  forReset(user: { id: string; hashed_password: string }): Promise<string> {
    const pwd = passwordMark(user.hashed_password);
    return this.sign({ user_id: user.id, aud: AUDIENCE.reset[0], pwd }, MAIL_TOKEN_MINUTES);
  }

  forVerification(user: { id: string; email: string }): Promise<string> {
    return this.sign({ user_id: user.id, email: user.email, aud: AUDIENCE.verify[0] }, MAIL_TOKEN_MINUTES);
  }

  /** The token opens less than a login of the user, never more, and ends with the session. ADR 0005. */
  async forReplay(
    { id: sub, session }: Principal,
    { oid, kind, id }: ReplayScope,
  ): Promise<{ token: string; expiresAt: Date }> {
    const claims = { sub, aud: AUDIENCE.replay[0], oid, kind, id, ...(session ? { sid: session.id } : {}) };
    const token = await this.sign(claims, REPLAY_TOKEN_MINUTES);
    return { token, expiresAt: new Date(this.clock.nowMs() + minutes(REPLAY_TOKEN_MINUTES)) };
  }

  /** Keeps what a step needs, with whoever makes it: text of the service's own, which others can read. */
  forStep(kind: StepKind, step: Readonly<Record<string, string | null>>): Promise<string> {
    return this.sign({ aud: AUDIENCE[kind][0], step }, STEP_MINUTES);
  }

  /** @returns what a step keeps; null for anything but a token of this kind that is not over */
  async readStep(
    kind: StepKind,
    token: string,
  ): Promise<{ step: Readonly<Record<string, unknown>>; until: Date } | null> {
    const claims = await this.verify(token, kind);
    if (typeof claims?.exp !== 'number' || typeof claims.step !== 'object' || claims.step === null) return null;
    return { step: claims.step as Record<string, unknown>, until: new Date(claims.exp * 1000) };
  }

  /**
   * The rules by which passport checks tokens of this kind. They are fixed at the start, so `loginOf`, `replayOf`
   * and `keyOf` check the expiry.
   */
  rulesOf(kind: 'login' | 'replay' | 'key') {
    return {
      // The types of passport-jwt know no key objects, but it passes them on.
      secretOrKey: signingKey(this.config) as unknown as Buffer,
      algorithms: [...ALGORITHMS],
      audience: [...AUDIENCE[kind]],
      ignoreExpiration: true,
    };
  }

  /** @returns for whom a login token stands, or null */
  loginOf(claims: Claims): LoginClaims | null {
    if (this.isOver(claims)) return null;
    const userId = idIn(claims.sub ?? claims.user_id);
    const sid = idIn(claims.sid);
    // A session that is none is no reason to do without.
    return userId === null || (claims.sid !== undefined && sid === null) ? null : { userId, sid };
  }

  /** @returns id of the API key for which a token was given, or null */
  keyOf(claims: Claims): string | null {
    return this.isOver(claims) ? null : idIn(claims.key);
  }

  /** @returns the replay token's user and scope, or null */
  replayOf(claims: Claims): { login: LoginClaims; scope: ReplayScope } | null {
    const { oid, kind, id } = claims;
    const login = this.loginOf(claims);
    const isScope = typeof oid === 'string' && typeof id === 'string' && (kind === 'item' || kind === 'collection');
    return login && isScope ? { login, scope: { oid, kind, id } } : null;
  }

  /** @returns null for anything but a valid login token */
  async readLogin(token: string): Promise<LoginClaims | null> {
    const claims = await this.verify(token, 'login');
    return claims && this.loginOf(claims);
  }

  /** @returns null for anything but a valid reset token; `mark` is null in tokens of the earlier implementation */
  async readReset(token: string): Promise<{ userId: string; mark: string | null } | null> {
    const claims = await this.verify(token, 'reset');
    const userId = idIn(claims?.user_id);
    if (!claims || userId === null) return null;
    return { userId, mark: typeof claims.pwd === 'string' ? claims.pwd : null };
  }

  /** @returns null for anything but a valid verification token */
  async readVerification(token: string): Promise<{ userId: string; email: string } | null> {
    const claims = await this.verify(token, 'verify');
    const userId = idIn(claims?.user_id);
    return userId !== null && typeof claims?.email === 'string' ? { userId, email: claims.email } : null;
  }

  /** @returns id of the collection whose files the token opens to a job, null for anything else */
  async readCollectionJob(token: string): Promise<string | null> {
    const claims = await this.verify(token, 'job');
    return claims?.sub_type === 'coll' ? idIn(claims.sub) : null;
  }

  private sign(claims: Readonly<Record<string, unknown>>, lifetimeMinutes: number): Promise<string> {
    const exp = Math.floor((this.clock.nowMs() + minutes(lifetimeMinutes)) / 1000);
    return this.jwt.signAsync({ ...claims, exp }, { algorithm: ALGORITHMS[0], noTimestamp: true });
  }

  private async verify(token: string, kind: TokenKind): Promise<Claims | null> {
    try {
      return await this.jwt.verifyAsync<Claims>(token, {
        algorithms: [...ALGORITHMS],
        audience: [...AUDIENCE[kind]],
        clockTimestamp: this.nowSeconds(),
      });
    } catch {
      // Signature, form, expiry or audience: the caller learns only "bad token".
      return null;
    }
  }

  /** A token without an expiry is good (accounts §2.1), but one whose expiry is no number is not. */
  private isOver({ exp }: Claims): boolean {
    return exp !== undefined && !(typeof exp === 'number' && this.nowSeconds() < exp);
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }
}
