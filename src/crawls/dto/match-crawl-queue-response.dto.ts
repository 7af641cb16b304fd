import { list } from '../../common/validation/composites.js';
import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class MatchCrawlQueueResponse {
  @Field(int()) total!: number;
  @Field(list(str())) matched!: string[];
  @Field(int()) nextOffset!: number;
}
