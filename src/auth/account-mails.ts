import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { Mails } from '../mail/mails.js';
import type { User } from '../users/data/user.schema.js';
import { TokenIssuer } from './token-issuer.js';

/**
 * The mails that carry a token for an account; sent in the background. Their links lead to APP_ORIGIN when it is set:
 * whoever asks for a mail to someone else's address must not choose by a header where its token goes.
 */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mails: Mails,
    private readonly tokens: TokenIssuer,
    private readonly config: AppConfig,
  ) {}

  /** @param requestOrigin external base URL as the request names it; null when no request asked */
  async passwordReset(user: User, requestOrigin: string | null = null): Promise<void> {
    const token = await this.tokens.forReset(user);
    const origin = this.origin(requestOrigin);
    this.mails.send('passwordReset', user.email, { origin, token, ...this.mails.support });
  }

  async verifyEmail(user: User, requestOrigin: string | null = null): Promise<void> {
    const token = await this.tokens.forVerification(user);
    const origin = this.origin(requestOrigin);
    this.mails.send('verifyEmail', user.email, { origin, token, receiver_email: user.email });
  }

  private origin(requestOrigin: string | null): string {
    return this.config.http.appOrigin || (requestOrigin ?? '');
  }
}
