import { Str, TimeText } from '../../common/validation/fields.js';

/** Secret of Standard Webhooks 1.0 (`whsec_…`); shown to owners only. */
export class WebhookSecret {
  @Str() secret!: string;
}

export class RotatedWebhookSecret extends WebhookSecret {
  /** Until then notifications carry a signature of the replaced secret too. */
  @TimeText() previousValidUntil!: string;
}
