import { enumOf, model, nullable } from '../../common/validation/composites.js';
import { dateTime } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { OrgQuotasIn } from '../../orgs/dto/org-quotas-in.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionUpdate {
  @Field(str()) subId!: string;
  @Field(enumOf('SubscriptionStatus', SUBSCRIPTION_STATUSS)) status!: SubscriptionStatus;
  @Field(str()) planId!: string;
  @Field(nullable(dateTime()), { optional: true }) futureCancelDate?: Date | null;
  @Field(nullable(model(() => OrgQuotasIn)), { optional: true }) quotas?: OrgQuotasIn | null;
}
