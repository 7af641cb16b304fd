import { Str, Bool, TimeText, Enum } from '../../common/validation/fields.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from './subscription-status.js';

export class Subscription {
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @TimeText({ nullable: true }) futureCancelDate: string | null = null;
  @Bool() readOnlyOnCancel = false;
}
