import { Injectable } from '@nestjs/common';
import { minutes } from '../common/units/durations.js';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { mailTime } from '../mail/mail-time.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { OwnerMails } from '../orgs/owner-mails.js';

/** Mails every owner when a quota, a read-only org or a rate limit has paused a crawl. Contract: crawling §11.7. */
@Injectable()
export class AutoPauseNotice {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly items: ItemsRepository,
    private readonly mails: OwnerMails,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  @OnFact('crawl.autoPaused', 'auto-pause-notice')
  async send({ payload: { oid, crawlId, cid, state } }: DomainEvent<'crawl.autoPaused'>): Promise<void> {
    const [org, item] = await Promise.all([this.orgs.findById(oid), this.items.findById(oid, crawlId)]);
    if (!org || !item) return;
    const pausedAt = item.pausedAt ?? this.clock.timestamp();
    const orgUrl = this.mails.orgUrl(org);
    await this.mails.send('crawlAutoPaused', org, {
      paused_reason: state,
      paused_expiry: mailTime(new Date(pausedAt.getTime() + minutes(this.config.crawls.pausedLimitMinutes))),
      org_url: orgUrl,
      workflow_url: `${orgUrl}/workflows/${cid}/latest`,
    });
  }
}
