import { Str, Uuid, TimeText, OneOf } from '../../common/validation/fields.js';

export class SubscriptionCancelOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['cancel']) type = 'cancel' as const;
  @Str() subId!: string;
}
