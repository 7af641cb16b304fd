import { Str, Int, TimeText } from '../../common/validation/fields.js';

/** One POST to the receiver; addition to the contract. */
export class WebhookDeliveryTry {
  /** When the try began. */
  @TimeText() at!: string;
  /** HTTP status of the answer, null when none came. */
  @Int({ nullable: true }) status!: number | null;
  /** Time until the answer or the failure, milliseconds. */
  @Int() latencyMs!: number;
  /** First 1,000 characters of the answer, or why there was none. */
  @Str() answer!: string;
}
