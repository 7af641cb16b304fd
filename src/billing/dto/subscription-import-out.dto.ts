import { enumOf, literal } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionImportOut {
  @Field(uuid()) oid!: string;
  @Field(dateTime()) timestamp!: string;
  @Field(literal('import'), { default: 'import' }) type!: 'import';
  @Field(str()) subId!: string;
  @Field(enumOf('SubscriptionStatus', SUBSCRIPTION_STATUSS)) status!: SubscriptionStatus;
  @Field(str()) planId!: string;
}
