import { Str, OneOf } from '../../common/validation/fields.js';

export class SubscriptionTrialEndReminder {
  @Str() subId!: string;
  @OneOf(['cancel', 'continue', 'read-only']) behavior_on_trial_end!: 'cancel' | 'continue' | 'read-only';
}
