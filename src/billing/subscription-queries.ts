import { Injectable } from '@nestjs/common';
import { checkSort, pageBounds, pageOf, type ListPage } from '../common/pagination/page.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { FutureCancelDateNotFound, NoAdminUsersFound, OrgForSubscriptionNotFound } from './billing.errors.js';
import { SubscriptionEventsRepository, type EventFilter } from './data/subscription-events.repository.js';
import type { SubscriptionEventsQuery, SubscriptionTrialEndReminder } from './dto/subscriptions.dto.js';
import { SubscriptionMails } from './subscription-mails.js';
import { toSubscriptionEventOut, type SubscriptionEventOut } from './subscription-event.presenter.js';

const SORT_FIELDS = ['timestamp', 'subId', 'oid', 'status', 'planId', 'futureCancelDate'];

/** Answers the billing service's questions about subscriptions. Contract: accounts §12. */
@Injectable()
export class SubscriptionQueries {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly repository: SubscriptionEventsRepository,
    private readonly mails: SubscriptionMails,
  ) {}

  /** Whether somebody joined the subscription's org and gave it a name. */
  async isActivated(subId: string): Promise<boolean> {
    const org = await this.orgs.findBySubscription(subId);
    return org !== null && Object.keys(org.users ?? {}).length > 0 && org.slug !== org._id;
  }

  /** @throws InvalidSortBy, InvalidSortDirection */
  async events(query: SubscriptionEventsQuery): Promise<ListPage<SubscriptionEventOut>> {
    const sort = checkSort(SORT_FIELDS, query.sortBy, query.sortDirection);
    const { status, subId, planId, oid, type } = query;
    const given = Object.entries({ status, subId, planId, oid, type }).filter(([, value]) => value);
    const filter = Object.fromEntries(given) as EventFilter;
    const [events, total] = await Promise.all([
      this.repository.list(filter, sort, pageBounds(query)),
      this.repository.count(filter),
    ]);
    return pageOf(query, total, events.map(toSubscriptionEventOut));
  }

  /** @throws OrgForSubscriptionNotFound, FutureCancelDateNotFound, NoAdminUsersFound */
  async remindOfTrialEnd({ subId, behavior_on_trial_end }: SubscriptionTrialEndReminder): Promise<void> {
    const org = await this.orgs.findBySubscription(subId);
    if (!org) throw new OrgForSubscriptionNotFound();
    const date = org.subscription?.futureCancelDate;
    if (!date) throw new FutureCancelDateNotFound();
    if ((await this.mails.trialEnding(org, date, behavior_on_trial_end)) === 0) throw new NoAdminUsersFound();
  }
}
