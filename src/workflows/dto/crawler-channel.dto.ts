import { nullable } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlerChannel {
  @Field(str()) id!: string;
  @Field(str()) image!: string;
  @Field(nullable(str()), { default: null }) imagePullPolicy!: string | null;
}
