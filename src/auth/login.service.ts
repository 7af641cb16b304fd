import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { keyIdIn } from '../access-keys/rules/key-text.js';
import type { OwnSession, Principal } from '../common/access/access.js';
import { KeysRefused } from '../common/access/key-scopes.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { UserOrgs } from '../orgs/members/user-orgs.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import type { UserOut } from '../users/dto/users.dto.js';
import { PasswordHasher } from '../users/password-hasher.js';
import { toUserOut, type PublicUser } from '../users/user.presenter.js';
import { AppConfig } from '../config/app-config.js';
import { BadCredentials, PasswordLoginOff } from './auth.errors.js';
import type { BearerResponse } from './dto/auth.dto.js';
import { KeyCallers, seenFrom } from './key-callers.js';
import type { LoginAttempt } from './login-lockout.js';
import { Sessions } from './sessions/sessions.service.js';
import { Tokens } from './tokens.js';

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
    private readonly config: AppConfig,
  ) {}

  /** @throws BadCredentials, PasswordLoginOff */
  async login(attempt: LoginAttempt, password: string, request: Request): Promise<BearerResponse> {
    // No address looks like the id of a key.
    const keyId = canonicalUuid(attempt.name);
    if (keyId !== null) return this.loginByKey(keyId, attempt, { text: password, request });
    const user = await this.identify(attempt, password);
    if (!user) throw new BadCredentials();
    const session = await this.sessions.begin(user.id, { how: 'password', hash: user.hashed_password, request });
    return this.bearer(user, session);
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

  /** @returns null for an unknown account or a wrong password @throws PasswordLoginOff */
  async identify(attempt: LoginAttempt, password: string): Promise<User | null> {
    const { passwordLogin } = this.config.auth;
    const user = await attempt.judge(async () => {
      if (passwordLogin === 'off') throw new PasswordLoginOff();
      const known = await this.users.findByEmail(attempt.name);
      return (await this.verify(known, password)) ? known : null;
    });
    // Only whoever has the password learns that it opens nothing.
    if (user && passwordLogin === 'superuser' && !user.is_superuser) throw new PasswordLoginOff();
    return user && this.rehashed(user, password);
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
    return this.bearer(user, session);
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

  private async bearer(user: User, session: OwnSession): Promise<BearerResponse> {
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
