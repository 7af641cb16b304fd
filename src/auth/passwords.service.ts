import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { person } from '../audit/rules/actors.js';
import type { Principal } from '../common/access/access.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { NewPasswords } from '../users/new-passwords.js';
import { PasswordHasher } from '../users/password-hasher.js';
import { AccountMails } from './account-mails.js';
import { BadResetToken, InvalidCurrentPassword } from './auth.errors.js';
import type { Body_reset_password_api_auth_reset_password_post, ChangePassword } from './dto/auth.dto.js';
import { LoginLockout } from './login-lockout.js';
import { passwordMark, Tokens } from './tokens.js';

/** Changes passwords, with the old one or by mail. Contract: accounts §4, §5. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly rules: NewPasswords,
    private readonly tokens: Tokens,
    private readonly lockout: LoginLockout,
    private readonly mails: AccountMails,
    private readonly trail: AuditTrail,
  ) {}

  /** The answer does not tell whether the address is known. */
  async forgot(email: string, origin: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (user) await this.mails.passwordReset(user, origin);
  }

  /** Ends all sessions. Does nothing for a user that is gone. @throws BadResetToken, InvalidPassword, PasswordTooCommon */
  async reset({ token, password, refuseCommon }: Body_reset_password_api_auth_reset_password_post): Promise<void> {
    const claims = await this.tokens.readReset(token);
    if (!claims) throw new BadResetToken();
    const user = await this.users.findById(claims.userId);
    if (!user) return;
    const isStale = claims.mark !== null && claims.mark !== passwordMark(user.hashed_password);
    if (isStale) throw new BadResetToken();
    this.rules.assert({ password, about: [user.email, user.name], isStrict: refuseCommon });
    const hash = await this.hasher.hash(password);
    // A second use of the same token finds another hash.
    const change = { from: user.hashed_password, to: hash };
    if (!(await this.users.changePassword(user.id, change, null))) throw new BadResetToken();
    await this.trail.record({ action: 'account.passwordReset', by: person(user.id), about: ['user', user.id] });
    await this.lockout.clear(user.email);
  }

  /** Ends the caller's other sessions. @throws InvalidCurrentPassword, then InvalidPassword, PasswordTooCommon */
  async change(
    { id, session }: Principal,
    { password, newPassword: next, refuseCommon }: ChangePassword,
  ): Promise<void> {
    const user = await this.users.findById(id);
    if (!user || !(await this.hasher.verify(password, user.hashed_password))) throw new InvalidCurrentPassword();
    this.rules.assert({ password: next, about: [user.email, user.name], isStrict: refuseCommon });
    const hash = await this.hasher.hash(next);
    const change = { from: user.hashed_password, to: hash };
    if (!(await this.users.changePassword(user.id, change, session?.id ?? null))) throw new InvalidCurrentPassword();
    await this.lockout.clear(user.email);
  }
}
