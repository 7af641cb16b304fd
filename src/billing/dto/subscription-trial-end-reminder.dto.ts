import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionTrialEndReminder {
  @Field(str()) subId!: string;
  @Field(literal('cancel', 'continue', 'read-only')) behavior_on_trial_end!: 'cancel' | 'continue' | 'read-only';
}
