import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { Mails } from '../mail/mails.js';
import { mailTime } from '../mail/mail-time.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { OrgOwners } from '../orgs/org-owners.js';

/** Tells the owners, and the log, that an endpoint has been paused. */
@Injectable()
export class PauseNotice {
  private readonly logger = new Logger('webhooks');

  constructor(
    private readonly orgs: OrgsRepository,
    private readonly owners: OrgOwners,
    private readonly mails: Mails,
    private readonly config: AppConfig,
  ) {}

  async send(oid: string, event: string, failingSince: Date): Promise<void> {
    this.logger.warn({ event: 'webhook_endpoint_paused', oid, kind: event, failingSince });
    const org = await this.orgs.findById(oid);
    if (!org) return;
    const origin = this.config.http.appOrigin || (org.origin ?? '').replace(/\/+$/, '');
    for (const owner of await this.owners.of(org))
      this.mails.send('webhookPaused', owner.email, {
        org_name: org.name,
        user_name: owner.name,
        event,
        failing_since: mailTime(failingSince),
        org_url: `${origin}/orgs/${org.slug}`,
      });
  }
}
