import { PageQuery } from '../../common/pagination/page.js';
import { model } from '../../common/validation/composites.js';
import { Str, Int, TimeText, Bool, Uuid, Enum, ListOf, AnyOf } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_EVENTS,
  type AnyWebhookBody,
  type WebhookEventType,
} from '../events/webhook-events.js';

/** One POST to the receiver. This is an addition to the contract. */
export class WebhookDeliveryTry {
  /** When the try began. */
  @TimeText() at!: string;
  /** HTTP status of the answer; null when there was none. */
  @Int({ nullable: true }) status!: number | null;
  /** Time until the answer or the failure, milliseconds. */
  @Int() latencyMs!: number;
  /** First 1,000 characters of the answer, or of the reason for its absence. */
  @Str() answer!: string;
}

/** How a receiver answered a test. */
export class WebhookTest extends WebhookDeliveryTry {
  /** Whether the answer was 200 to 299. */
  @Bool() success!: boolean;
}

export class WebhookNotification {
  @AnyOf([uuid(), str()], { nullable: true }) id!: string | null;
  @Enum('WebhookEventType', WEBHOOK_EVENT_TYPES) event!: WebhookEventType;
  @Uuid() oid!: string;
  /** What was sent to the receiver. */
  @AnyOf([...WEBHOOK_EVENTS.map(({ body }) => model(() => body))]) body!: AnyWebhookBody;
  @Bool() success = false;
  /** Number of tries so far. */
  @Int() attempts = 0;
  @TimeText() created!: string;
  /** Time of the last try. */
  @TimeText({ nullable: true }) lastAttempted: string | null = null;
  /** The latest tries, oldest first. This is an addition to the contract. */
  @ListOf(() => WebhookDeliveryTry) tries: WebhookDeliveryTry[] = [];
}

export class PaginatedWebhookNotificationResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => WebhookNotification) items!: WebhookNotification[];
}

/** The state of the receiver of one event. */
export class WebhookEndpoint {
  /** Name of the event. */
  @Enum('WebhookEventType', WEBHOOK_EVENT_TYPES) event!: WebhookEventType;
  /** The configured URL; null when there is none. */
  @Str({ nullable: true }) url!: string | null;
  /** True while the endpoint is paused: its notifications are kept until it is resumed. */
  @Bool() paused!: boolean;
  /** Time of the first failure since the last success. */
  @TimeText({ nullable: true }) failingSince!: string | null;
  /** When the receiver last took something. */
  @TimeText({ nullable: true }) lastSuccess!: string | null;
}

export class WebhookEndpoints {
  @ListOf(() => WebhookEndpoint) items!: WebhookEndpoint[];
}

/** Secret of Standard Webhooks 1.0 (`whsec_…`). Only owners see it. */
export class WebhookSecret {
  /** The signing secret, as Standard Webhooks writes it: `whsec_…`. */
  @Str() secret!: string;
}

export class RotatedWebhookSecret extends WebhookSecret {
  /** Until this time notifications carry a signature of the replaced secret too. */
  @TimeText() previousValidUntil!: string;
}

export class WebhooksQuery extends PageQuery {
  /** Only notifications that were (true) or were not (false) taken. */
  @Bool({ nullable: true, optional: true }) success?: boolean | null;
  /** Exact event name. */
  @Str({ nullable: true, optional: true }) event?: string | null;
  /** `success`, `event`, `attempts`, `created` or `lastAttempted`; without it the list is in order of creation. */
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  @Int({ nullable: true }) sortDirection: number | null = -1;
}

export class NotificationPath {
  /** Id of the notification. */
  @Uuid() notificationid!: string;
  @Uuid() oid!: string;
}

export class EndpointPath {
  @Uuid() oid!: string;
  /** Name of the event whose receiver it is. */
  @Enum('WebhookEventType', WEBHOOK_EVENT_TYPES) event!: WebhookEventType;
}
