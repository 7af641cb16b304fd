import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { keyIdIn } from '../access-keys/rules/key-text.js';
import type { Principal } from '../common/access/access.js';
import { KeysRefused } from '../common/access/key-scopes.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { UserOrgs } from '../orgs/members/user-orgs.js';
import type { SecondFactor } from '../users/data/second-factor.schema.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import type { UserOut } from '../users/dto/users.dto.js';
import { PasswordHasher } from '../users/password-hasher.js';
import { toUserOut, type PublicUser } from '../users/user.presenter.js';
import { AppConfig } from '../config/app-config.js';
import { BadCredentials, PasswordLoginOff } from './auth.errors.js';
import type { BearerResponse } from './dto/auth.dto.js';
import { KeyNeeded } from './factors/factors.errors.js';
import { SecondStep, type LoggedIn } from './factors/second-step.js';
import { KeyCallers, seenFrom } from './key-callers.js';
import { LoginLockout, type LoginAttempt } from './login-lockout.js';
import { Sessions } from './sessions/sessions.service.js';
import { Tokens } from './tokens.js';

/** What somebody who logs in gives beside their name. */
interface Given {
  readonly password: string;
  readonly otp: string | null;
}

/** Login, refresh, and the caller's account. Contract: accounts §2.3, §3, §5. */
@Injectable()
export class LoginService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly tokens: Tokens,
    private readonly userOrgs: UserOrgs,
    private readonly keys: KeyCallers,
    private readonly sessions: Sessions,
    private readonly secondStep: SecondStep,
    private readonly lockout: LoginLockout,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param otp a code of a second factor; null: none came
   * @throws BadCredentials, PasswordLoginOff, SecondFactorRequired, SecondFactorWrong, TooManyLoginAttempts
   */
  async login(attempt: LoginAttempt, { password, otp }: Given, request: Request): Promise<BearerResponse> {
    // No address looks like the id of a key.
    const keyId = canonicalUuid(attempt.name);
    if (keyId !== null) return this.loginByKey(keyId, attempt, { text: password, request });
    // What is checked within the attempt is counted: a right password alone clears nothing.
    const proved = await attempt.judge(
      async () => {
        const user = await this.verified(attempt.name, password);
        const factor = user && (await this.secondStep.factorOf(user.id));
        const needsMore = factor !== null && otp === null;
        const by = user && factor && !needsMore ? await this.codeOf(user, factor, { otp, request }) : null;
        return user && { user, factor, by, needsMore };
      },
      ({ needsMore }) => !needsMore,
    );
    if (!proved) throw new BadCredentials();
    const user = await this.allowed(proved.user, password);
    if (!user) throw new BadCredentials();
    if (proved.factor && proved.needsMore) await this.secondStep.atOnce(user, proved.factor, { code: null, request });
    const beginning = { how: 'password', hash: user.hashed_password, factor: proved.by, request };
    return this.bearer({ user, session: await this.sessions.begin(user.id, beginning) });
  }

  /** Whoever may not log in so at all learns nothing about their code. */
  private codeOf(user: User, factor: SecondFactor, { otp, request }: { otp: string | null; request: Request }) {
    this.assertAllowed(user);
    return this.secondStep.atOnce(user, factor, { code: otp, request });
  }

  private async loginByKey(
    keyId: string,
    attempt: LoginAttempt,
    { text, request }: { text: string; request: Request },
  ): Promise<BearerResponse> {
    const caller = await attempt.judge(async () =>
      keyIdIn(text) === keyId ? this.keys.find(keyId, { by: 'key', text }, seenFrom(request, null)) : null,
    );
    if (!caller) throw new BadCredentials();
    return this.bearerOfKey(caller.principal);
  }

  /**
   * Finds somebody by the password alone, for a request and not for a session.
   * @returns null for an unknown account or a wrong password @throws PasswordLoginOff, KeyNeeded
   */
  async identify(attempt: LoginAttempt, password: string): Promise<User | null> {
    const user = await attempt.judge(
      () => this.verified(attempt.name, password),
      () => false,
    );
    if (!user) return null;
    if (await this.secondStep.factorOf(user.id)) throw new KeyNeeded();
    await this.lockout.clear(user.email);
    return this.allowed(user, password);
  }

  /** @throws PasswordLoginOff */
  private async verified(name: string, password: string): Promise<User | null> {
    if (this.config.auth.passwordLogin === 'off') throw new PasswordLoginOff();
    const known = await this.users.findByEmail(name);
    return (await this.verify(known, password)) ? known : null;
  }

  /** Only whoever has the password learns that it opens nothing. @throws PasswordLoginOff */
  private allowed(user: User, password: string): Promise<User | null> {
    this.assertAllowed(user);
    return this.rehashed(user, password);
  }

  private assertAllowed(user: User): void {
    if (this.config.auth.passwordLogin === 'superuser' && !user.is_superuser) throw new PasswordLoginOff();
  }

  /**
   * The new token belongs to the caller's session; one that belongs to none begins a session.
   * @throws KeysRefused for a key itself, which is no token and needs none
   */
  async refresh(caller: Principal, request: Request): Promise<BearerResponse> {
    if (caller.key?.by === 'key') throw new KeysRefused();
    if (caller.key) return this.bearerOfKey(caller);
    const user = await this.users.findById(caller.id);
    if (!user) throw new BadCredentials();
    const session = caller.session ?? (await this.sessions.begin(user.id, { how: 'token', hash: null, request }));
    return this.bearer({ user, session });
  }

  /** Answers from the user read for the request. */
  async me(caller: Principal): Promise<UserOut> {
    const { id, email, name, isSuperuser: is_superuser, isVerified: is_verified } = caller;
    return toUserOut({ id, email, name, is_superuser, is_verified }, await this.userOrgs.of(caller));
  }

  async userOut(userId: string): Promise<UserOut> {
    const user = await this.users.findById(userId);
    if (!user) throw new BadCredentials();
    return this.present(user);
  }

  /** Verifying takes as long for an unknown account as for a known one. */
  private verify(user: User | null, password: string): Promise<boolean> {
    return user ? this.hasher.verify(password, user.hashed_password) : this.hasher.verifyNothing(password);
  }

  /** @returns the user with the hash as it is stored now; null when the password was changed meanwhile */
  private async rehashed(user: User, password: string): Promise<User | null> {
    if (!this.hasher.isOutdated(user.hashed_password)) return user;
    const hash = await this.hasher.hash(password);
    if (await this.users.replaceHash(user.id, user.hashed_password, hash)) return { ...user, hashed_password: hash };
    const now = await this.users.findById(user.id);
    return (await this.verify(now, password)) ? now : null;
  }

  async bearer({ user, session }: LoggedIn): Promise<BearerResponse> {
    const [access_token, user_info] = await Promise.all([this.tokens.forLogin(user.id, session), this.present(user)]);
    return { access_token, token_type: 'bearer', user_info };
  }

  private async bearerOfKey(caller: Principal): Promise<BearerResponse> {
    if (!caller.key) throw new BadCredentials();
    const [access_token, user_info] = await Promise.all([this.tokens.forKey(caller.key), this.me(caller)]);
    return { access_token, token_type: 'bearer', user_info };
  }

  private async present(user: PublicUser): Promise<UserOut> {
    return toUserOut(user, await this.userOrgs.of({ id: user.id, isSuperuser: user.is_superuser }));
  }
}
