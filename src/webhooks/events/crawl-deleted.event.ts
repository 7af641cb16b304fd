import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { webhookEvent } from './webhook-event.js';

export class CrawlDeletedBody {
  @Field(str()) orgId!: string;
  @Field(str()) itemId!: string;
  @Field(literal('crawlDeleted'), { default: 'crawlDeleted' }) event!: 'crawlDeleted';
}

export const crawlDeleted = webhookEvent({
  name: 'crawlDeleted',
  body: CrawlDeletedBody,
  facts: { 'item.deleted': ({ itemId, type }) => (type === 'crawl' ? [() => ({ itemId })] : []) },
});
