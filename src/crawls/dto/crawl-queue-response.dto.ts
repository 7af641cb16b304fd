import { Int, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class CrawlQueueResponse {
  @Int() total!: number;
  @ListOf(str()) results!: string[];
  @ListOf(str()) matched!: string[];
}
