import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditEventsRepository } from '../../audit/data/audit-events.repository.js';
import { Clock } from '../../common/clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import type { LineSender } from './line-sender.js';
import { SyslogLineSender } from './syslog-line-sender.js';
import { WebhookLineSender } from './webhook-line-sender.js';

/** The receivers that settings name. If there are any, entries say that they are to be sent. */
@Injectable()
export class LineSenders implements OnModuleInit {
  readonly all: readonly LineSender[];

  constructor(
    { audit: { syslogUrl, webhookUrl, webhookSecret } }: AppConfig,
    private readonly events: AuditEventsRepository,
    clock: Clock,
  ) {
    this.all = [
      ...(syslogUrl === '' ? [] : [new SyslogLineSender(syslogUrl)]),
      ...(webhookUrl === '' ? [] : [new WebhookLineSender({ url: webhookUrl, secret: webhookSecret }, clock)]),
    ];
  }

  get names(): string[] {
    return this.all.map(({ name }) => name);
  }

  onModuleInit(): void {
    if (this.all.length > 0) this.events.sendWhatIsSettled();
  }
}
