import { PageQuery } from '../../common/pagination/page.js';
import { enumOf, nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../events/webhook-events.js';

export class WebhooksQuery extends PageQuery {
  @Field(nullable(bool()), { optional: true }) success?: boolean | null;
  /** Exact event name. */
  @Field(nullable(str()), { optional: true }) event?: string | null;
  /** success, event, attempts, created or lastAttempted; none: in order of creation. */
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  @Field(nullable(int()), { default: -1 }) sortDirection!: number | null;
}

export class NotificationPath {
  @Field(uuid()) notificationid!: string;
  @Field(uuid()) oid!: string;
}

export class EndpointPath {
  @Field(uuid()) oid!: string;
  @Field(enumOf('WebhookEventType', WEBHOOK_EVENT_TYPES)) event!: WebhookEventType;
}
