import { literal, nullable } from '../../common/validation/composites.js';
import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlReviewedBody extends WebhookBody {
  @Field(str()) itemId!: string;
  @Field(literal('crawlReviewed'), { default: 'crawlReviewed' }) event!: 'crawlReviewed';
  @Field(nullable(int({ min: 1, max: 5 }))) reviewStatus!: number | null;
  @Field(str()) reviewStatusLabel!: string;
  @Field(nullable(str()), { default: null }) description!: string | null;
}

export const crawlReviewed = webhookEvent({
  name: 'crawlReviewed',
  body: CrawlReviewedBody,
  facts: {
    'crawl.reviewed': ({ crawlId: itemId, reviewStatus, reviewStatusLabel, description }) =>
      reviewStatus ? [() => ({ itemId, reviewStatus, reviewStatusLabel, description })] : [],
  },
});
