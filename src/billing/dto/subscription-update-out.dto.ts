import { Str, Uuid, TimeText, OneOf, Enum, Nested } from '../../common/validation/fields.js';
import { OrgQuotasIn } from '../../orgs/dto/org-quotas-in.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';

export class SubscriptionUpdateOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['update']) type = 'update' as const;
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @TimeText({ nullable: true }) futureCancelDate: string | null = null;
  @Nested(() => OrgQuotasIn, { nullable: true }) quotas: OrgQuotasIn | null = null;
}
