import { Str, Email, Enum, Nested } from '../../common/validation/fields.js';
import { OrgQuotas } from '../../orgs/dto/org-quotas.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';

export class SubscriptionCreate {
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @Email() firstAdminInviteEmail!: string;
  @Nested(() => OrgQuotas, { nullable: true, optional: true }) quotas?: OrgQuotas | null;
}
