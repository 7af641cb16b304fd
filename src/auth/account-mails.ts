import { Injectable } from '@nestjs/common';
import { Links } from '../links/links.js';
import type { MailPayloads } from '../mail/mail-templates.js';
import { Mails } from '../mail/mails.js';
import type { User } from '../users/data/user.schema.js';
import { Tokens } from './tokens.js';

/** What a mail about second factors tells. */
interface FactorNews {
  readonly what: MailPayloads['secondFactor']['what'];
  /** What the owner calls a passkey. */
  readonly name?: string;
  /** Recovery codes that are left. */
  readonly left?: number;
}

/** Sends the mails with a token for an account, in the background. Links are below `origin`, `Links.inMail`. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mails: Mails,
    private readonly tokens: Tokens,
    private readonly links: Links,
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

  /** Tells the owner what became of the account's second factors. The link in it needs no header of a request. */
  factorChanged({ email, name }: Pick<User, 'email' | 'name'>, change: FactorNews): void {
    this.mails.send('secondFactor', email, { user_name: name, origin: this.links.settled(), ...change });
  }

  private async sendReset(user: User, origin: string, isUnlimited: boolean): Promise<void> {
    const token = await this.tokens.forReset(user);
    this.mails.send('passwordReset', user.email, { origin, token, ...this.mails.support }, { isUnlimited });
  }
}
