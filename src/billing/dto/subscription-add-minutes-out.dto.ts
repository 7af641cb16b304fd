import { Str, Int, Num, Uuid, TimeText, OneOf } from '../../common/validation/fields.js';

export class SubscriptionAddMinutesOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['add-minutes']) type = 'add-minutes' as const;
  @Int() minutes!: number;
  @Num() totalPrice!: number;
  @Str() currency!: string;
  @Str() paymentId!: string;
}
