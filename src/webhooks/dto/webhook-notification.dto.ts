import { enumOf, list, model, nullable, oneOf } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { WebhookDeliveryTry } from './webhook-delivery-try.dto.js';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_EVENTS,
  type AnyWebhookBody,
  type WebhookEventType,
} from '../events/webhook-events.js';
import { Field } from '../../common/validation/model.js';

export class WebhookNotification {
  @Field(nullable(oneOf(uuid(), str()))) id!: string | null;
  @Field(enumOf('WebhookEventType', WEBHOOK_EVENT_TYPES)) event!: WebhookEventType;
  @Field(uuid()) oid!: string;
  @Field(oneOf(...WEBHOOK_EVENTS.map(({ body }) => model(() => body)))) body!: AnyWebhookBody;
  @Field(bool(), { default: false }) success!: boolean;
  @Field(int(), { default: 0 }) attempts!: number;
  @Field(dateTime()) created!: string;
  @Field(nullable(dateTime()), { default: null }) lastAttempted!: string | null;
  /** The latest tries, oldest first; addition to the contract. */
  @Field(list(model(() => WebhookDeliveryTry)), { default: [] }) tries!: WebhookDeliveryTry[];
}
