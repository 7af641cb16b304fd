import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { WebhookNotification } from './webhook-notification.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedWebhookNotificationResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => WebhookNotification))) items!: WebhookNotification[];
}
