import { literal, nullable } from '../../common/validation/composites.js';
import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlReviewedBody {
  @Field(str()) orgId!: string;
  @Field(str()) itemId!: string;
  @Field(literal('crawlReviewed'), { default: 'crawlReviewed' }) event!: 'crawlReviewed';
  @Field(nullable(int({ min: 1, max: 5 }))) reviewStatus!: number | null;
  @Field(str()) reviewStatusLabel!: string;
  @Field(nullable(str()), { default: null }) description!: string | null;
}
