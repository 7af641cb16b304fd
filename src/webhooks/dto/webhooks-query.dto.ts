import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Bool, Uuid, Enum } from '../../common/validation/fields.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../events/webhook-events.js';

export class WebhooksQuery extends PageQuery {
  @Bool({ nullable: true, optional: true }) success?: boolean | null;
  /** Exact event name. */
  @Str({ nullable: true, optional: true }) event?: string | null;
  /** success, event, attempts, created or lastAttempted; none: in order of creation. */
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
