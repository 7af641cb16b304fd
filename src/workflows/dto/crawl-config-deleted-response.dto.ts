import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlConfigDeletedResponse {
  @Field(bool()) success!: boolean;
  @Field(str()) status!: string;
}
