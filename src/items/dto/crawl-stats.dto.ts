import { Int, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class CrawlStats {
  @Int() found = 0;
  @Int() done = 0;
  @Int() size = 0;
  @ListOf(str()) req_crawls: string[] = [];
}
