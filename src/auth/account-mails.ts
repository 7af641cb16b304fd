import { Injectable } from '@nestjs/common';
import { Mails } from '../mail/mails.js';
import type { User } from '../users/data/user.schema.js';
import { Tokens } from './tokens.js';

/** Sends the mails with a token for an account, in the background. Links are below `origin`, `Links.inMail`. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mails: Mails,
    private readonly tokens: Tokens,
  ) {}

  async passwordReset(user: User, origin: string): Promise<void> {
    await this.sendReset(user, origin, false);
  }

  /** Sends the mail about a lock, whatever other mails were sent: a lock lasts an hour, which limits it. */
  async locked(user: User, origin: string): Promise<void> {
    await this.sendReset(user, origin, true);
  }

  async verifyEmail(user: User, origin: string): Promise<void> {
    const token = await this.tokens.forVerification(user);
    this.mails.send('verifyEmail', user.email, { origin, token, receiver_email: user.email });
  }

  private async sendReset(user: User, origin: string, isUnlimited: boolean): Promise<void> {
    const token = await this.tokens.forReset(user);
    this.mails.send('passwordReset', user.email, { origin, token, ...this.mails.support }, { isUnlimited });
  }
}
