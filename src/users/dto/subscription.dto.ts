import { enumOf, nullable } from '../../common/validation/composites.js';
import { dateTime } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from './subscription-status.js';
import { Field } from '../../common/validation/model.js';

export class Subscription {
  @Field(str()) subId!: string;
  @Field(enumOf('SubscriptionStatus', SUBSCRIPTION_STATUSS)) status!: SubscriptionStatus;
  @Field(str()) planId!: string;
  @Field(nullable(dateTime()), { default: null }) futureCancelDate!: string | null;
  @Field(bool(), { default: false }) readOnlyOnCancel!: boolean;
}
