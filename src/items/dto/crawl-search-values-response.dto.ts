import { list } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlSearchValuesResponse {
  @Field(list(str())) ids!: string[];
  @Field(list(str())) names!: string[];
  @Field(list(str())) descriptions!: string[];
  @Field(list(str())) firstSeeds!: string[];
}
