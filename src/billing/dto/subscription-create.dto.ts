import { enumOf, model, nullable } from '../../common/validation/composites.js';
import { email } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { OrgQuotas } from '../../orgs/dto/org-quotas.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionCreate {
  @Field(str()) subId!: string;
  @Field(enumOf('SubscriptionStatus', SUBSCRIPTION_STATUSS)) status!: SubscriptionStatus;
  @Field(str()) planId!: string;
  @Field(email()) firstAdminInviteEmail!: string;
  @Field(nullable(model(() => OrgQuotas)), { optional: true }) quotas?: OrgQuotas | null;
}
