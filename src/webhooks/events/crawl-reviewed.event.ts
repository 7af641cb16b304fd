import { Str, Int, OneOf } from '../../common/validation/fields.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlReviewedBody extends WebhookBody {
  @Str() itemId!: string;
  @OneOf(['crawlReviewed']) event = 'crawlReviewed' as const;
  @Int({ min: 1, max: 5, nullable: true }) reviewStatus!: number | null;
  @Str() reviewStatusLabel!: string;
  @Str({ nullable: true }) description: string | null = null;
}

export const crawlReviewed = webhookEvent({
  name: 'crawlReviewed',
  body: CrawlReviewedBody,
  facts: {
    'crawl.reviewed': ({ crawlId: itemId, reviewStatus, reviewStatusLabel, description }) =>
      reviewStatus ? [() => ({ itemId, reviewStatus, reviewStatusLabel, description })] : [],
  },
});
