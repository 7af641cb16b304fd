import { list } from '../../common/validation/composites.js';
import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlStats {
  @Field(int(), { default: 0 }) found!: number;
  @Field(int(), { default: 0 }) done!: number;
  @Field(int(), { default: 0 }) size!: number;
  @Field(list(str()), { default: [] }) req_crawls!: string[];
}
