import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { ROLE, type Principal } from '../../common/access/access.js';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { AppConfig } from '../../config/app-config.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import { Storages } from '../../storage/storages.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import type { Org, OrgSubscription } from '../data/org.schema.js';
import type { OrgCreate } from '../dto/orgs.dto.js';
import { InviteMails } from '../members/invite-mails.js';
import { newOrg, type NewOrg } from './new-org.js';
import { OrgInvites } from '../members/org-invites.js';
import type { Invited } from '../members/invited.js';
import { OrgNames } from '../org-names.js';
import { EitherPlanOrQuotas } from '../orgs.errors.js';
import { Plans } from '../plans.js';
import { assertQuotas, type SentQuotas } from '../rules/quota.rules.js';

export interface CreatedOrg {
  readonly org: Org;
  /** The first owner's invite, when an address was given. */
  readonly invited: Invited | null;
}

interface OrgWish {
  readonly oid: string;
  readonly name: string | null;
  readonly slug: string | null | undefined;
  readonly quotas: SentQuotas | null;
  readonly note: string | null;
  readonly subscription?: OrgSubscription;
  readonly readOnlyReason?: string;
  readonly firstAdminInviteEmail: string | null;
  /** A function that runs in the transaction that creates the org. */
  readonly also?: (tx: Tx) => Promise<void>;
}

/**
 * Creates orgs. The org and its first owner's invite are stored together or not at all. Contract: accounts §7.4, §12.
 */
@Injectable()
export class OrgCreation {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly names: OrgNames,
    private readonly invites: OrgInvites,
    private readonly storages: Storages,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Creates an org without mailing the invite. @throws the errors of names, slugs and invites */
  async create(caller: Principal, wish: OrgWish): Promise<CreatedOrg> {
    const org = this.document(wish);
    const values = { _id: org._id, name: org.name, slug: org.slug, subId: org.subscription?.subId };
    const email = wish.firstAdminInviteEmail;
    const { invited } = await this.names.claiming(values, () =>
      this.unitOfWork.run(async (tx) => {
        await this.orgs.insert(org, tx);
        this.trail.ofOrg(org._id);
        await wish.also?.(tx);
        const given = email ? { email, role: ROLE.owner } : null;
        return { invited: given && (await this.invites.store(org, caller, given, tx)) };
      }),
    );
    return { org, invited };
  }

  private document({ oid, name, slug, quotas, note, subscription, readOnlyReason }: OrgWish): Org {
    const given: NewOrg = {
      oid,
      name,
      slug: this.names.slugOf(slug, name ?? oid, oid),
      created: this.clock.creationTime(),
      storage: this.storages.defaultPrimary,
      dedupeEnabled: this.config.accounts.dedupeEnabledDefault,
      quotas,
      note,
      subscription: subscription ?? null,
    };
    return { ...newOrg(given), ...(readOnlyReason ? { readOnly: true, readOnlyReason } : {}) };
  }
}

/** Creates orgs for `POST /orgs/create`: it applies plans and mails the invite. */
@Injectable()
export class OrgsByRequest {
  constructor(
    private readonly creation: OrgCreation,
    private readonly plans: Plans,
    private readonly mails: InviteMails,
  ) {}

  /** @throws EitherPlanOrQuotas, InvalidPlan, InvalidPlans, and what `OrgCreation.create` throws */
  async create(caller: Principal, body: OrgCreate, origin: string): Promise<CreatedOrg> {
    if (body.planId && body.quotas) throw new EitherPlanOrQuotas();
    const plan = body.planId ? this.plans.get(body.planId) : null;
    if (body.quotas) assertQuotas(body.quotas, ['body', 'quotas']);
    const planNote = plan && `Plan ID: ${plan.id} (name: ${plan.name})`;
    const created = await this.creation.create(caller, {
      oid: newId(),
      name: body.name ?? null,
      slug: body.slug,
      quotas: plan?.org_quotas ?? body.quotas ?? null,
      note: planNote ? (body.note ? `${body.note}\n\n${planNote}` : planNote) : (body.note ?? null),
      firstAdminInviteEmail: body.firstAdminInviteEmail ?? null,
    });
    if (created.invited) this.mails.invite(created.org, caller, created.invited, origin);
    return created;
  }
}
