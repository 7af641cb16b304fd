import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { wasSent } from '../common/validation/parse-model.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { JobStarter } from '../jobs/job-starter.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { Org, OrgSubscription } from '../orgs/data/org.schema.js';
import { OrgSettingChanges } from '../orgs/org-setting-changes.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { assertQuotas } from '../orgs/rules/quota.rules.js';
import { InvalidOrgId, OrgForSubscriptionNotFound } from './billing.errors.js';
import { SubscriptionEventsRepository } from './data/subscription-events.repository.js';
import type { SubscriptionAddMinutes, SubscriptionUpdate } from './dto/subscriptions.dto.js';
import { SubscriptionMails } from './subscription-mails.js';
import { announcesEnd, CANCELED_REASON, readOnlyAfter, renewableQuotas, sentQuotas } from './subscription.rules.js';

type Subscribed = Org & { subscription: OrgSubscription };

/** Applies reports of the billing service. Each change and its event are one transaction. Accounts §12. */
@Injectable()
export class SubscriptionChanges {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly usage: OrgUsage,
    private readonly changes: OrgSettingChanges,
    private readonly events: SubscriptionEventsRepository,
    private readonly jobs: JobStarter,
    private readonly mails: SubscriptionMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws OrgForSubscriptionNotFound */
  async update(body: SubscriptionUpdate): Promise<void> {
    if (body.quotas) assertQuotas(body.quotas, ['body', 'quotas']);
    const { subId, status, planId } = body;
    const futureCancelDate = body.futureCancelDate ?? null;
    const timestamp = this.clock.timestamp();
    const quotas = sentQuotas(body.quotas);
    const { before, after } = await this.unitOfWork.run(async (tx) => {
      const org = await this.subscribed(subId, tx);
      const members = { status, planId, futureCancelDate };
      const subscription = { ...org.subscription, ...members };
      const sent = {
        subId,
        status,
        planId,
        ...(wasSent(body, 'futureCancelDate') ? { futureCancelDate } : {}),
        ...(quotas ? { quotas } : {}),
      };
      await this.changes.within(org._id, tx, async () => {
        await this.orgs.changeSubscription(org._id, members, { set: { ...readOnlyAfter(status) }, tx });
        const subEventId = await this.events.insert({ type: 'update', oid: org._id, timestamp, ...sent }, tx);
        if (body.quotas)
          await this.usage.changeQuotas(org._id, renewableQuotas(body.quotas), { mode: 'set', subEventId, tx });
      });
      return { before: org, after: { ...org, subscription } };
    });
    if (announcesEnd(before.subscription.futureCancelDate, futureCancelDate, status))
      await this.mails.cancelled(after, futureCancelDate);
  }

  /** @returns whether the org is being deleted. @throws OrgForSubscriptionNotFound */
  async cancel(subId: string): Promise<boolean> {
    const timestamp = this.clock.timestamp();
    const { isDeleted } = await this.unitOfWork.run(async (tx) => {
      const org = await this.subscribed(subId, tx);
      const ended = { subscription: null, readOnly: true, readOnlyReason: CANCELED_REASON };
      await this.changes.within(org._id, tx, () => this.orgs.set(org._id, ended, { tx }));
      await this.events.insert({ type: 'cancel', oid: org._id, timestamp, subId }, tx);
      if (org.subscription.readOnlyOnCancel) return { isDeleted: false };
      await this.jobs.start('delete-org', { oid: org._id, tx });
      return { isDeleted: true };
    });
    return isDeleted;
  }

  /** Adds bought minutes. A negative number takes minutes back, not below 0. @throws InvalidOrgId */
  async addMinutes(body: SubscriptionAddMinutes): Promise<void> {
    const { oid, minutes, totalPrice, currency, paymentId } = body;
    assertQuotas({ extraExecMinutes: minutes }, ['body']);
    const timestamp = this.clock.timestamp();
    await this.unitOfWork.run(async (tx) => {
      if (!(await this.orgs.findById(oid, tx))) throw new InvalidOrgId();
      const event = { type: 'add-minutes' as const, oid, timestamp, minutes, totalPrice, currency, paymentId };
      const subEventId = await this.events.insert(event, tx);
      const added = { extraExecMinutes: minutes };
      await this.changes.within(oid, tx, () => this.usage.changeQuotas(oid, added, { mode: 'add', subEventId, tx }));
    });
  }

  private async subscribed(subId: string, tx: Tx): Promise<Subscribed> {
    const org = await this.orgs.findBySubscription(subId, tx);
    if (!org?.subscription) throw new OrgForSubscriptionNotFound();
    return org as Subscribed;
  }
}
