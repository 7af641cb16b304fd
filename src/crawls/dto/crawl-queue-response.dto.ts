import { list } from '../../common/validation/composites.js';
import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlQueueResponse {
  @Field(int()) total!: number;
  @Field(list(str())) results!: string[];
  @Field(list(str())) matched!: string[];
}
