import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import type { Org } from '../orgs/data/org.schema.js';
import { monthOf } from '../orgs/rules/quota.rules.js';
import { BillingClient } from './billing-client.js';
import { CheckoutFailed, NoSubscription } from './billing.errors.js';
import type { AddonMinutesPricing } from './dto/org-billing.dto.js';

/** An owner's requests to the billing service. Contract: accounts §12. */
@Injectable()
export class OrgBilling {
  constructor(
    private readonly client: BillingClient,
    private readonly clock: Clock,
  ) {}

  /** Empty without a subscription or an answer. */
  async portalUrl(org: Org, origin: string): Promise<string> {
    if (!org.subscription) return '';
    const { subId, planId } = org.subscription;
    const url = await this.client.portalUrl({
      returnUrl: this.returnUrl(org, origin),
      subId,
      planId,
      bytesStored: org.bytesStored ?? 0,
      execSeconds: org.monthlyExecSeconds?.[monthOf(this.clock.now())] ?? 0,
    });
    return url ?? '';
  }

  /** Null without an answer. @throws NoSubscription */
  async minutePrice(org: Org): Promise<AddonMinutesPricing | null> {
    if (!org.subscription) throw new NoSubscription();
    return this.client.minutePrice();
  }

  /** @throws NoSubscription, CheckoutFailed */
  async checkoutUrl(org: Org, minutes: number | null, origin: string): Promise<string> {
    if (!org.subscription) throw new NoSubscription();
    const return_url = this.returnUrl(org, origin);
    const url = await this.client.checkoutUrl({ orgId: org._id, subId: org.subscription.subId, minutes, return_url });
    if (url === null) throw new CheckoutFailed();
    return url;
  }

  private returnUrl(org: Org, origin: string): string {
    return `${origin}/orgs/${org.slug}/settings/billing`;
  }
}
