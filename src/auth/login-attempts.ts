import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AuditTrail } from '../audit/audit-trail.js';
import { NOBODY } from '../audit/rules/actors.js';
import { addressOf, clientOf } from '../common/http/request-address.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { Links } from '../links/links.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { AccountMails } from './account-mails.js';
import { LoginLockout, type LoginAttempt } from './login-lockout.js';

/** Admits attempts to log in, wherever a password is given. Contract: accounts §3. */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly lockout: LoginLockout,
    private readonly users: UsersRepository,
    private readonly mails: AccountMails,
    private readonly links: Links,
    private readonly trail: AuditTrail,
  ) {}

  /** Waits until the password may be checked. @throws TooManyLoginAttempts, BadCredentials */
  admit(username: string, request: Request): Promise<LoginAttempt> {
    // The id of an API key is counted in one spelling.
    return this.lockout.admit(canonicalUuid(username) ?? username, clientOf(request), (name) =>
      this.mailReset(name, this.links.inMail(addressOf(request))),
    );
  }

  private async mailReset(name: string, origin: string): Promise<void> {
    const locked = await this.users.findByEmail(name);
    if (!locked) return;
    await this.trail.record({ action: 'account.lockedOut', by: NOBODY, about: ['user', locked.id] });
    await this.mails.locked(locked, origin);
  }
}
