import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionCancel {
  @Field(str()) subId!: string;
}
