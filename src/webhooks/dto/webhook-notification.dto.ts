import { model } from '../../common/validation/composites.js';
import { Int, Bool, Uuid, TimeText, Enum, ListOf, AnyOf } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { WebhookDeliveryTry } from './webhook-delivery-try.dto.js';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_EVENTS,
  type AnyWebhookBody,
  type WebhookEventType,
} from '../events/webhook-events.js';

export class WebhookNotification {
  @AnyOf([uuid(), str()], { nullable: true }) id!: string | null;
  @Enum('WebhookEventType', WEBHOOK_EVENT_TYPES) event!: WebhookEventType;
  @Uuid() oid!: string;
  @AnyOf([...WEBHOOK_EVENTS.map(({ body }) => model(() => body))]) body!: AnyWebhookBody;
  @Bool() success = false;
  @Int() attempts = 0;
  @TimeText() created!: string;
  @TimeText({ nullable: true }) lastAttempted: string | null = null;
  /** The latest tries, oldest first; addition to the contract. */
  @ListOf(() => WebhookDeliveryTry) tries: WebhookDeliveryTry[] = [];
}
