import { ListOf } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';

export class CrawlConfigSearchValues {
  @ListOf(str()) names!: string[];
  @ListOf(str()) descriptions!: string[];
  @ListOf(str()) firstSeeds!: string[];
  @ListOf(uuid()) workflowIds!: string[];
}
