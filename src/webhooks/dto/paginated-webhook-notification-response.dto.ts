import { Int, ListOf } from '../../common/validation/fields.js';
import { WebhookNotification } from './webhook-notification.dto.js';

export class PaginatedWebhookNotificationResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => WebhookNotification) items!: WebhookNotification[];
}
