import { uuid } from '../../common/validation/formats.js';
import { int, num, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionAddMinutes {
  @Field(uuid()) oid!: string;
  @Field(int()) minutes!: number;
  @Field(num()) totalPrice!: number;
  @Field(str()) currency!: string;
  @Field(str()) paymentId!: string;
}
