import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlDeletedBody {
  @Field(str()) orgId!: string;
  @Field(str()) itemId!: string;
  @Field(literal('crawlDeleted'), { default: 'crawlDeleted' }) event!: 'crawlDeleted';
}
