import { Str, OneOf } from '../../common/validation/fields.js';
import { EXAMPLE } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlDeletedBody extends WebhookBody {
  @Str() itemId!: string;
  @OneOf(['crawlDeleted']) event = 'crawlDeleted' as const;
}

export const crawlDeleted = webhookEvent({
  name: 'crawlDeleted',
  body: CrawlDeletedBody,
  example: { itemId: EXAMPLE.itemId },
  facts: { 'item.deleted': ({ itemId, type }) => (type === 'crawl' ? [() => ({ itemId })] : []) },
});
