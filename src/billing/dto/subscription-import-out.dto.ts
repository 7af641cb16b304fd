import { Str, Uuid, TimeText, OneOf, Enum } from '../../common/validation/fields.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/subscription-status.js';

export class SubscriptionImportOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['import']) type = 'import' as const;
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
}
