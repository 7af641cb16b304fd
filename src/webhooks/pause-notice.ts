import { Injectable, Logger } from '@nestjs/common';
import { mailTime } from '../mail/mail-time.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { OwnerMails } from '../orgs/owner-mails.js';

/** Tells the owners and the log that an endpoint has been paused. */
@Injectable()
export class PauseNotice {
  private readonly logger = new Logger('webhooks');

  constructor(
    private readonly orgs: OrgsRepository,
    private readonly mails: OwnerMails,
  ) {}

  async send(oid: string, event: string, failingSince: Date): Promise<void> {
    this.logger.warn({ event: 'webhook_endpoint_paused', oid, kind: event, failingSince });
    const org = await this.orgs.findById(oid);
    if (!org) return;
    const failing_since = mailTime(failingSince);
    await this.mails.send('webhookPaused', org, { event, failing_since, org_url: this.mails.orgUrl(org) });
  }
}
