import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { Principal } from '../../common/access/access.js';
import { LoginSessionsRepository } from '../../users/data/login-sessions.repository.js';
import { SecondFactorsRepository } from '../../users/data/second-factors.repository.js';
import type { User } from '../../users/data/user.schema.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { AccountMails } from '../account-mails.js';
import type { SessionsToEnd } from '../dto/second-factor.dto.js';
import { FactorLockout } from './factor-lockout.js';
import { AccountUnknown, FactorNotFound } from './factors.errors.js';

/** What who runs the service does for somebody's account: its phone is lost, or its sessions have to end. */
@Injectable()
export class Rescue {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly users: UsersRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly sessions: LoginSessionsRepository,
    private readonly lockout: FactorLockout,
    private readonly mails: AccountMails,
    private readonly trail: AuditTrail,
  ) {}

  /** Ends the account's sessions too; the password stays. @throws AccountUnknown, FactorNotFound */
  async removeSecondFactor(email: string): Promise<void> {
    const user = await this.userOf(email);
    if (!(await this.factors.removeAll(user.id))) throw new FactorNotFound();
    await this.trail.made({ action: 'cli.secondFactorRemoved', about: ['user', user.id] });
    await this.lockout.clear(user.id);
    this.logger.log({ event: 'second_factor_removed', userId: user.id });
    this.mails.factorChanged(user, { what: 'removed-for-you' });
  }

  /** @throws AccountUnknown */
  async endSessions({ id, session }: Principal, { email, everybody }: SessionsToEnd): Promise<void> {
    const sid = session?.id ?? null;
    if (everybody) return this.sessions.endOfEverybody({ userId: id, sid });
    const user = await this.userOf(email ?? '');
    this.trail.about('user', user.id);
    await this.sessions.endOthers(user.id, user.id === id ? sid : null);
    this.logger.log({ event: 'sessions_ended', userId: user.id });
  }

  private async userOf(email: string): Promise<User> {
    const user = await this.users.findByEmail(email);
    if (!user) throw new AccountUnknown();
    return user;
  }
}
