import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { person } from '../audit/rules/actors.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { AccountMails } from './account-mails.js';
import { AlreadyVerified, BadVerifyToken } from './auth.errors.js';
import { Tokens } from './tokens.js';

/** Verifies that an address is its user's. Contract: accounts §4. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly users: UsersRepository,
    private readonly tokens: Tokens,
    private readonly mails: AccountMails,
    private readonly trail: AuditTrail,
  ) {}

  /** Answers an unknown address like a known one. @throws AlreadyVerified */
  async request(email: string, origin: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (!user) return;
    if (user.is_verified) throw new AlreadyVerified();
    await this.mails.verifyEmail(user, origin);
  }

  /** @throws BadVerifyToken, also for a token of an earlier address; AlreadyVerified */
  async verify(token: string): Promise<void> {
    const claims = await this.tokens.readVerification(token);
    if (!claims) throw new BadVerifyToken();
    const user = await this.users.findByEmail(claims.email);
    if (user?.id !== claims.userId) throw new BadVerifyToken();
    if (!(await this.users.markVerified(user.id, user.email))) throw new AlreadyVerified();
    await this.trail.record({ action: 'account.verified', by: person(user.id), about: ['user', user.id] });
  }
}
