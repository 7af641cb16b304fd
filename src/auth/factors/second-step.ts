import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { OwnSession } from '../../common/access/access.js';
import { clientOf } from '../../common/http/request-address.js';
import { canonicalUuid } from '../../common/ids/uuid.js';
import { AppConfig } from '../../config/app-config.js';
import type { SecondFactor } from '../../users/data/second-factor.schema.js';
import { SecondFactorsRepository } from '../../users/data/second-factors.repository.js';
import type { User } from '../../users/data/user.schema.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { PasswordLoginOff } from '../auth.errors.js';
import type { PasskeyChallengeOut, PasskeyLoginIn, SecondStepIn } from '../dto/second-factor.dto.js';
import { LoginLockout } from '../login-lockout.js';
import { Sessions } from '../sessions/sessions.service.js';
import { passwordMark, Tokens } from '../tokens.js';
import { FactorProofs } from './factor-proofs.js';
import {
  PasskeyNotProven,
  SecondFactorRequired,
  SecondFactorWrong,
  SecondStepExpired,
  type Challenge,
} from './factors.errors.js';
import { Passkeys } from './passkeys.js';

/** A log-in whose first step is done: as `Beginning` of sessions. */
interface FirstStep {
  readonly how: string;
  readonly providerSid?: string | null;
}

export interface LoggedIn {
  readonly user: User;
  readonly session: OwnSession;
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The second step of log-ins, and those by passkey alone. ADR 0056. */
@Injectable()
export class SecondStep {
  constructor(
    private readonly users: UsersRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly proofs: FactorProofs,
    private readonly passkeys: Passkeys,
    private readonly lockout: LoginLockout,
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
    private readonly config: AppConfig,
  ) {}

  /** @returns what the account has beside its password; null for nothing */
  factorOf(userId: string): Promise<SecondFactor | null> {
    return this.factors.read(userId);
  }

  /** Takes a code that came with the password. @throws SecondFactorWrong, TooManyLoginAttempts; SecondFactorRequired without one */
  async atOnce(user: User, factor: SecondFactor, { code, request }: { code: string | null; request: Request }) {
    if (code === null) throw new SecondFactorRequired(await this.challenge(user, factor, { how: 'password' }));
    return this.proofs.code(user, code, clientOf(request));
  }

  /** The token is bound to account and password: a new password ends it. It opens nothing but `finish`. */
  async challenge(user: User, factor: SecondFactor, { how, providerSid = null }: FirstStep): Promise<Challenge> {
    const { totp, passkeys = [], recovery } = factor;
    const asked = passkeys.length > 0 && this.passkeys.place ? await this.passkeys.toProve(passkeys) : null;
    const step = { sub: user.id, pwd: passwordMark(user.hashed_password), nonce: asked?.nonce ?? null };
    const methods = [
      ...(totp ? ['totp'] : []),
      ...(asked ? ['passkey'] : []),
      ...(recovery.length > 0 ? ['recovery'] : []),
    ];
    const challenge = await this.tokens.forStep('secondStep', { ...step, how, providerSid });
    return { challenge, methods, passkey: asked?.options ?? null };
  }

  /** @throws SecondStepExpired, SecondFactorWrong, PasskeyNotProven, TooManyLoginAttempts, BadCredentials */
  async finish({ challenge, code, passkey }: SecondStepIn, request: Request): Promise<LoggedIn> {
    const read = await this.tokens.readStep('secondStep', challenge);
    const step = read?.step;
    const user = await this.userOf(step?.['sub']);
    const factor = user && (await this.factors.read(user.id));
    if (!read || !step || !user || !factor || passwordMark(user.hashed_password) !== step['pwd'])
      throw new SecondStepExpired();
    const nonce = textIn(step['nonce']);
    const proof = passkey && nonce !== null ? { sent: passkey, nonce, until: read.until, isAlone: false } : null;
    const by = proof ? await this.proofs.passkey(user, factor, proof) : await this.codeOf(user, code, request);
    await this.lockout.clear(user.email);
    const how = textIn(step['how']) ?? 'password';
    const hash = how === 'password' ? user.hashed_password : null;
    const providerSid = textIn(step['providerSid']);
    return { user, session: await this.sessions.begin(user.id, { how, hash, factor: by, providerSid, request }) };
  }

  /** What a browser needs to log somebody in by a passkey that it finds itself. @throws PasskeysUnavailable */
  async passkeyOptions(): Promise<PasskeyChallengeOut> {
    const { options, nonce } = await this.passkeys.toProve(null);
    const challenge = await this.tokens.forStep('passkeyLogin', { nonce });
    return { challenge, options: { ...options } };
  }

  /** A passkey that knows its owner is two factors in one. @throws SecondStepExpired, PasskeyNotProven, PasswordLoginOff */
  async byPasskey({ challenge, passkey }: PasskeyLoginIn, request: Request): Promise<LoggedIn> {
    const client = clientOf(request);
    await this.lockout.admitClient(client);
    const read = await this.tokens.readStep('passkeyLogin', challenge);
    const nonce = textIn(read?.step['nonce']);
    if (!read || nonce === null) throw new SecondStepExpired();
    const user = await this.userOf(this.passkeys.accountIn(passkey));
    const factor = user && (await this.factors.read(user.id));
    try {
      if (!user || !factor) throw new PasskeyNotProven();
      await this.proofs.passkey(user, factor, { sent: passkey, nonce, until: read.until, isAlone: true });
    } catch (error) {
      if (error instanceof PasskeyNotProven) await this.lockout.failedFrom(client);
      throw error;
    }
    const { passwordLogin } = this.config.auth;
    // Where people sign in elsewhere only, this is no way round it.
    if (passwordLogin === 'off' || (passwordLogin === 'superuser' && !user.is_superuser)) throw new PasswordLoginOff();
    const beginning = { how: 'passkey', hash: null, factor: 'passkey', request };
    return { user, session: await this.sessions.begin(user.id, beginning) };
  }

  private codeOf(user: User, code: string | null, request: Request): Promise<string> {
    if (code === null) throw new SecondFactorWrong();
    return this.proofs.code(user, code, clientOf(request));
  }

  private async userOf(id: unknown): Promise<User | null> {
    const userId = typeof id === 'string' ? canonicalUuid(id) : null;
    return userId === null ? null : this.users.findById(userId);
  }
}
