import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { parseEmail } from '../common/validation/email.js';
import { seconds } from '../common/units/durations.js';
import { Outcomes } from '../common/metrics/outcomes.js';
import { AppConfig } from '../config/app-config.js';
import type { MailName, MailPayloads } from './mail-templates.js';
import { MailLimits } from './mail-limits.js';
import { MailTexts } from './mail-texts.js';
import { Mailer, type OutgoingMail } from './mailer.js';
import { masked } from './masked.js';

/** Waits before the second and third try. A server that greylists or restarts is back by then. */
const RETRY_AFTER_MS = [seconds(2), seconds(15)];
/** How long a shutdown waits for mails in progress. */
const DRAIN_MS = seconds(5);

export interface MailOptions {
  /** True: the mail is not limited per hour, because something else limits it. */
  readonly isUnlimited?: boolean;
  /** Called once the mail is given up. @param reason the mail server's answer or another obstacle */
  readonly onFailure?: (reason: string) => Promise<void>;
}

/** Sends the mails of accounts §13 in the background. A request neither waits for them nor fails with them (D6). */
@Injectable()
export class Mails implements OnApplicationShutdown {
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly logger = new Logger('mail');

  constructor(
    private readonly mailer: Mailer,
    private readonly texts: MailTexts,
    private readonly limits: MailLimits,
    private readonly config: AppConfig,
    private readonly outcomes: Outcomes,
  ) {}

  /** The support address for payloads; empty when the setting holds no address. */
  get support(): { support_email?: string } {
    const { support, replyTo, sender } = this.config.mail;
    const address = support || replyTo || sender;
    return 'address' in parseEmail(address) ? { support_email: address } : {};
  }

  /** Returns at once and logs failures. An address that got enough of these mails in an hour gets no more. */
  send<K extends MailName>(name: K, to: string, payload: MailPayloads[K], options: MailOptions = {}): void {
    const sending = this.deliver(name, to, payload, options).finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  /** Settles when every mail so far is sent or given up; for tests, the CLI and shutdown. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.settled(), wait(DRAIN_MS, undefined, { ref: false })]);
  }

  private async deliver<K extends MailName>(
    name: K,
    to: string,
    payload: MailPayloads[K],
    options: MailOptions,
  ): Promise<void> {
    // Rendering waits for a later turn: the time of a request must not tell whether it caused a mail.
    await nextTurn();
    if (!options.isUnlimited && !(await this.limits.admits(name, to))) {
      this.logger.warn({ event: 'mail_held_back', template: name, to, reason: 'too many within an hour' });
      this.outcomes.mailEnded('held_back');
      return this.tell(options, 'too many mails to this address within an hour');
    }
    for (let attempt = 0; ; attempt++) {
      try {
        const mail = { to, ...(await this.texts.render(name, payload)) };
        await this.mailer.send(mail);
        this.logger.log({ event: 'mail_sent', template: name, to, target: this.mailer.target, ...this.shown(mail) });
        this.outcomes.mailEnded('sent');
        return;
      } catch (error) {
        const retryAfterMs = RETRY_AFTER_MS[attempt];
        if (retryAfterMs === undefined || this.stopping.signal.aborted) {
          this.logger.error({ event: 'mail_failed', template: name, to, target: this.mailer.target, err: error });
          this.outcomes.mailEnded('failed');
          return this.tell(options, (error as { response?: string }).response ?? 'the mail could not be handed over');
        }
        await wait(retryAfterMs, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  private async tell({ onFailure }: MailOptions, reason: string): Promise<void> {
    try {
      await onFailure?.(reason);
    } catch (error) {
      this.logger.error({ event: 'mail_failure_not_kept', err: error });
    }
  }

  /** The text for the log, if the setting wants it. Its tokens are masked, except in development. */
  private shown({ text }: OutgoingMail): { text?: string } {
    const { logsText, isProduction } = this.config.mail;
    if (!logsText) return {};
    return { text: isProduction ? masked(text) : text };
  }
}
