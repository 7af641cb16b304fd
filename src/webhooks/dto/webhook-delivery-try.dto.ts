import { nullable } from '../../common/validation/composites.js';
import { dateTime } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { int, str } from '../../common/validation/scalars.js';

/** One POST to the receiver; addition to the contract. */
export class WebhookDeliveryTry {
  /** When the try began. */
  @Field(dateTime()) at!: string;
  /** HTTP status of the answer, null when none came. */
  @Field(nullable(int())) status!: number | null;
  /** Time until the answer or the failure, milliseconds. */
  @Field(int()) latencyMs!: number;
  /** First 1,000 characters of the answer, or why there was none. */
  @Field(str()) answer!: string;
}
