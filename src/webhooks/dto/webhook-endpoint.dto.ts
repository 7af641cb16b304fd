import { enumOf, list, model, nullable } from '../../common/validation/composites.js';
import { dateTime } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, str } from '../../common/validation/scalars.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../events/webhook-events.js';

/** How the receiver of one event has been doing. */
export class WebhookEndpoint {
  @Field(enumOf('WebhookEventType', WEBHOOK_EVENT_TYPES)) event!: WebhookEventType;
  /** The configured URL, null when there is none. */
  @Field(nullable(str())) url!: string | null;
  /** Notifications are kept back until the endpoint is resumed. */
  @Field(bool()) paused!: boolean;
  /** First failure since the last success. */
  @Field(nullable(dateTime())) failingSince!: string | null;
  @Field(nullable(dateTime())) lastSuccess!: string | null;
}

export class WebhookEndpoints {
  @Field(list(model(() => WebhookEndpoint))) items!: WebhookEndpoint[];
}
