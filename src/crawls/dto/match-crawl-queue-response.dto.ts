import { Int, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class MatchCrawlQueueResponse {
  @Int() total!: number;
  @ListOf(str()) matched!: string[];
  @Int() nextOffset!: number;
}
