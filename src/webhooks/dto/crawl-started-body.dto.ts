import { literal } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlStartedBody {
  @Field(str()) orgId!: string;
  @Field(str()) itemId!: string;
  @Field(bool(), { default: false }) scheduled!: boolean;
  @Field(literal('crawlStarted'), { default: 'crawlStarted' }) event!: 'crawlStarted';
}
