import { list } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlConfigSearchValues {
  @Field(list(str())) names!: string[];
  @Field(list(str())) descriptions!: string[];
  @Field(list(str())) firstSeeds!: string[];
  @Field(list(uuid())) workflowIds!: string[];
}
