import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { MailCounts } from './data/mail-counts.repository.js';
import type { MailName } from './mail-templates.js';

/** Mails that anybody can request for any address. */
const ASKED_FOR: ReadonlySet<MailName> = new Set<MailName>(['passwordReset', 'verifyEmail']);

/** Limits mails of one kind to an address per hour, over all processes. */
@Injectable()
export class MailLimits {
  private readonly logger = new Logger('mail');

  constructor(
    private readonly counts: MailCounts,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Counts the mail. @returns whether it may be sent */
  async admits(name: MailName, to: string): Promise<boolean> {
    const { askedPerAddress, perAddress } = this.config.mail;
    const limit = ASKED_FOR.has(name) ? askedPerAddress : perAddress;
    if (limit === 0) return true;
    try {
      return (await this.counts.take(name, to, this.clock.now())) <= limit;
    } catch (error) {
      // The mail is sent when counting fails: one mail too many is better than one that somebody waits for.
      this.logger.error({ event: 'mail_not_counted', template: name, err: error });
      return true;
    }
  }
}
