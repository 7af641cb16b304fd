import { bool, int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlScaleResponse {
  @Field(bool()) scaled!: boolean;
  @Field(int()) browserWindows!: number;
}
