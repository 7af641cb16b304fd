import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PreloadResource {
  @Field(str()) name!: string;
  @Field(str()) crawlId!: string;
}
