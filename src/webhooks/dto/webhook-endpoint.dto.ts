import { Str, Bool, TimeText, Enum, ListOf } from '../../common/validation/fields.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../events/webhook-events.js';

/** How the receiver of one event has been doing. */
export class WebhookEndpoint {
  @Enum('WebhookEventType', WEBHOOK_EVENT_TYPES) event!: WebhookEventType;
  /** The configured URL, null when there is none. */
  @Str({ nullable: true }) url!: string | null;
  /** Notifications are kept back until the endpoint is resumed. */
  @Bool() paused!: boolean;
  /** First failure since the last success. */
  @TimeText({ nullable: true }) failingSince!: string | null;
  @TimeText({ nullable: true }) lastSuccess!: string | null;
}

export class WebhookEndpoints {
  @ListOf(() => WebhookEndpoint) items!: WebhookEndpoint[];
}
