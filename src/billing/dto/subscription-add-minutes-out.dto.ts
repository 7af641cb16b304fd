import { literal } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { int, num, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionAddMinutesOut {
  @Field(uuid()) oid!: string;
  @Field(dateTime()) timestamp!: string;
  @Field(literal('add-minutes'), { default: 'add-minutes' }) type!: 'add-minutes';
  @Field(int()) minutes!: number;
  @Field(num()) totalPrice!: number;
  @Field(str()) currency!: string;
  @Field(str()) paymentId!: string;
}
