import { Str, Int, OneOf } from '../../common/validation/fields.js';
import { EXAMPLE } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlReviewedBody extends WebhookBody {
  @Str() itemId!: string;
  @OneOf(['crawlReviewed']) event = 'crawlReviewed' as const;
  @Int({ min: 1, max: 5, nullable: true }) reviewStatus!: number | null;
  /** The verdict in a word. */
  @Str() reviewStatusLabel!: string;
  /** Description of the item. */
  @Str({ nullable: true }) description: string | null = null;
}

export const crawlReviewed = webhookEvent({
  name: 'crawlReviewed',
  body: CrawlReviewedBody,
  example: { itemId: EXAMPLE.itemId, reviewStatus: 5, reviewStatusLabel: 'Excellent', description: null },
  facts: {
    'crawl.reviewed': ({ crawlId: itemId, reviewStatus, reviewStatusLabel, description }) =>
      reviewStatus ? [() => ({ itemId, reviewStatus, reviewStatusLabel, description })] : [],
  },
});
