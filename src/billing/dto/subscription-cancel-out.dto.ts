import { literal } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionCancelOut {
  @Field(uuid()) oid!: string;
  @Field(dateTime()) timestamp!: string;
  @Field(literal('cancel'), { default: 'cancel' }) type!: 'cancel';
  @Field(str()) subId!: string;
}
