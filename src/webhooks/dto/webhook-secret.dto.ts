import { dateTime } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';

/** Secret of Standard Webhooks 1.0 (`whsec_…`); shown to owners only. */
export class WebhookSecret {
  @Field(str()) secret!: string;
}

export class RotatedWebhookSecret extends WebhookSecret {
  /** Until then notifications carry a signature of the replaced secret too. */
  @Field(dateTime()) previousValidUntil!: string;
}
