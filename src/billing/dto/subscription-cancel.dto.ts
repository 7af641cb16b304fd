import { Str } from '../../common/validation/fields.js';

export class SubscriptionCancel {
  @Str() subId!: string;
}
