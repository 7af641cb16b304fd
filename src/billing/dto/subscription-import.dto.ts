import { enumOf } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionImport {
  @Field(str()) subId!: string;
  @Field(enumOf('SubscriptionStatus', SUBSCRIPTION_STATUSS)) status!: SubscriptionStatus;
  @Field(str()) planId!: string;
  @Field(uuid()) oid!: string;
}
