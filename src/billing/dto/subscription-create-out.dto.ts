import { enumOf, literal, model, nullable } from '../../common/validation/composites.js';
import { dateTime, email, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { OrgQuotas } from '../../orgs/dto/org-quotas.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionCreateOut {
  @Field(uuid()) oid!: string;
  @Field(dateTime()) timestamp!: string;
  @Field(literal('create'), { default: 'create' }) type!: 'create';
  @Field(str()) subId!: string;
  @Field(enumOf('SubscriptionStatus', SUBSCRIPTION_STATUSS)) status!: SubscriptionStatus;
  @Field(str()) planId!: string;
  @Field(email()) firstAdminInviteEmail!: string;
  @Field(nullable(model(() => OrgQuotas)), { default: null }) quotas!: OrgQuotas | null;
}
