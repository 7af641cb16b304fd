import { Str, Int, Num, Uuid } from '../../common/validation/fields.js';

export class SubscriptionAddMinutes {
  @Uuid() oid!: string;
  @Int() minutes!: number;
  @Num() totalPrice!: number;
  @Str() currency!: string;
  @Str() paymentId!: string;
}
