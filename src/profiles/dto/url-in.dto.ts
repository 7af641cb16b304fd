import { httpUrlText } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class UrlIn {
  @Field(httpUrlText()) url!: string;
}
