import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { OrgSubscription } from '../orgs/data/org.schema.js';
import { InviteMails } from '../orgs/members/invite-mails.js';
import { OrgSettingChanges } from '../orgs/org-setting-changes.js';
import { OrgCreation } from '../orgs/lifecycle/org-creation.js';
import { OrgNames } from '../orgs/org-names.js';
import { assertQuotas } from '../orgs/rules/quota.rules.js';
import { InvalidOrgId } from './billing.errors.js';
import { SubscriptionEventsRepository } from './data/subscription-events.repository.js';
import type { InviteAddedResponse, SubscriptionCreate, SubscriptionImport } from './dto/subscriptions.dto.js';
import { PAUSED_REASON, sentQuotas } from './subscription.rules.js';

/** Makes subscriptions for a new org and for an existing one. Contract: accounts §12. */
@Injectable()
export class NewSubscriptions {
  constructor(
    private readonly creation: OrgCreation,
    private readonly names: OrgNames,
    private readonly orgs: OrgsRepository,
    private readonly events: SubscriptionEventsRepository,
    private readonly mails: InviteMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: OrgSettingChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates org, subscription, event and the first owner's invite together or not at all (D21).
   * @throws DuplicateSubscription and the errors of invites
   */
  async create(caller: Principal, body: SubscriptionCreate, origin: string): Promise<InviteAddedResponse> {
    if (body.quotas) assertQuotas(body.quotas, ['body', 'quotas']);
    const { subId, status, planId, firstAdminInviteEmail } = body;
    const oid = newId();
    const quotas = sentQuotas(body.quotas);
    const timestamp = this.clock.timestamp();
    const { org, invited } = await this.creation.create(caller, {
      oid,
      name: null,
      slug: oid,
      quotas: body.quotas ?? null,
      note: null,
      subscription: toSubscription(body),
      firstAdminInviteEmail,
      ...(status === 'paused_payment_failed' ? { readOnlyReason: PAUSED_REASON } : {}),
      also: async (tx) => {
        const sent = { subId, status, planId, firstAdminInviteEmail, ...(quotas ? { quotas } : {}) };
        await this.events.insert({ type: 'create', oid, timestamp, ...sent }, tx);
      },
    });
    if (!invited) throw new Error('a subscription was made without its invite');
    this.mails.invite(org, caller, invited, origin);
    return { added: true, id: oid, invited: invited.invited, token: invited.token };
  }

  /** @throws InvalidOrgId, DuplicateSubscription */
  async import(body: SubscriptionImport): Promise<void> {
    const { oid, subId, status, planId } = body;
    const org = await this.orgs.findById(oid);
    if (!org) throw new InvalidOrgId();
    const paused = status === 'paused_payment_failed' ? { readOnly: true, readOnlyReason: PAUSED_REASON } : {};
    const timestamp = this.clock.timestamp();
    await this.names.claiming({ _id: oid, name: org.name, slug: org.slug, subId }, () =>
      this.unitOfWork.run(async (tx) => {
        const set = { subscription: toSubscription(body), ...paused };
        const found = await this.changes.within(oid, tx, () => this.orgs.set(oid, set, { tx }));
        if (!found) throw new InvalidOrgId();
        await this.events.insert({ type: 'import', oid, timestamp, subId, status, planId }, tx);
      }),
    );
  }
}

const toSubscription = ({ subId, status, planId }: SubscriptionImport | SubscriptionCreate): OrgSubscription => ({
  subId,
  status,
  planId,
  futureCancelDate: null,
  readOnlyOnCancel: false,
});
