import { ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class CrawlSearchValuesResponse {
  @ListOf(str()) ids!: string[];
  @ListOf(str()) names!: string[];
  @ListOf(str()) descriptions!: string[];
  @ListOf(str()) firstSeeds!: string[];
}
