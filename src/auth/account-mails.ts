import { Injectable } from '@nestjs/common';
import { Mails } from '../mail/mails.js';
import type { User } from '../users/data/user.schema.js';
import { Tokens } from './tokens.js';

/** The mails that carry a token for an account; sent in the background, with links below `origin`, `Links.inMail`. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mails: Mails,
    private readonly tokens: Tokens,
  ) {}

  async passwordReset(user: User, origin: string): Promise<void> {
    await this.sendReset(user, origin, false);
  }

  /** The one mail of a lock goes out however many were asked for: a lock lasts an hour, so it has a limit of its own. */
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
