import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlDeletedBody extends WebhookBody {
  @Field(str()) itemId!: string;
  @Field(literal('crawlDeleted'), { default: 'crawlDeleted' }) event!: 'crawlDeleted';
}

export const crawlDeleted = webhookEvent({
  name: 'crawlDeleted',
  body: CrawlDeletedBody,
  facts: { 'item.deleted': ({ itemId, type }) => (type === 'crawl' ? [() => ({ itemId })] : []) },
});
