import { enumOf, literal, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { OrgQuotasIn } from '../../orgs/dto/org-quotas-in.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionUpdateOut {
  @Field(uuid()) oid!: string;
  @Field(dateTime()) timestamp!: string;
  @Field(literal('update'), { default: 'update' }) type!: 'update';
  @Field(str()) subId!: string;
  @Field(enumOf('SubscriptionStatus', SUBSCRIPTION_STATUSS)) status!: SubscriptionStatus;
  @Field(str()) planId!: string;
  @Field(nullable(dateTime()), { default: null }) futureCancelDate!: string | null;
  @Field(nullable(model(() => OrgQuotasIn)), { default: null }) quotas!: OrgQuotasIn | null;
}
