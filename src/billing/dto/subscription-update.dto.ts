import { Str, DateTime, Enum, Nested } from '../../common/validation/fields.js';
import { OrgQuotasIn } from '../../orgs/dto/org-quotas-in.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';

export class SubscriptionUpdate {
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @DateTime({ nullable: true, optional: true }) futureCancelDate?: Date | null;
  @Nested(() => OrgQuotasIn, { nullable: true, optional: true }) quotas?: OrgQuotasIn | null;
}
