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

export class WebhookNotification {
  @AnyOf([uuid(), str()], { nullable: true }) id!: string | null;
  @Enum('WebhookEventType', WEBHOOK_EVENT_TYPES) event!: WebhookEventType;
  @Uuid() oid!: string;
  @AnyOf([...WEBHOOK_EVENTS.map(({ body }) => model(() => body))]) body!: AnyWebhookBody;
  @Bool() success = false;
  @Int() attempts = 0;
  @TimeText() created!: string;
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
  @Enum('WebhookEventType', WEBHOOK_EVENT_TYPES) event!: WebhookEventType;
  /** The configured URL; null when there is none. */
  @Str({ nullable: true }) url!: string | null;
  /** True while the endpoint is paused: its notifications are kept until it is resumed. */
  @Bool() paused!: boolean;
  /** Time of the first failure since the last success. */
  @TimeText({ nullable: true }) failingSince!: string | null;
  @TimeText({ nullable: true }) lastSuccess!: string | null;
}

export class WebhookEndpoints {
  @ListOf(() => WebhookEndpoint) items!: WebhookEndpoint[];
}

/** Secret of Standard Webhooks 1.0 (`whsec_…`). Only owners see it. */
export class WebhookSecret {
  @Str() secret!: string;
}

export class RotatedWebhookSecret extends WebhookSecret {
  /** Until this time notifications carry a signature of the replaced secret too. */
  @TimeText() previousValidUntil!: string;
}

export class WebhooksQuery extends PageQuery {
  @Bool({ nullable: true, optional: true }) success?: boolean | null;
  /** Exact event name. */
  @Str({ nullable: true, optional: true }) event?: string | null;
  /** `success`, `event`, `attempts`, `created` or `lastAttempted`; without it the list is in order of creation. */
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  @Int({ nullable: true }) sortDirection: number | null = -1;
}

export class NotificationPath {
  @Uuid() notificationid!: string;
  @Uuid() oid!: string;
}

export class EndpointPath {
  @Uuid() oid!: string;
  @Enum('WebhookEventType', WEBHOOK_EVENT_TYPES) event!: WebhookEventType;
}
