import { Str, Uuid, TimeText, Email, OneOf, Enum, Nested } from '../../common/validation/fields.js';
import { OrgQuotas } from '../../orgs/dto/org-quotas.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';

export class SubscriptionCreateOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['create']) type = 'create' as const;
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @Email() firstAdminInviteEmail!: string;
  @Nested(() => OrgQuotas, { nullable: true }) quotas: OrgQuotas | null = null;
}
