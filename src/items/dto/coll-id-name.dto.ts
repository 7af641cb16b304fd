import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CollIdName {
  @Field(uuid()) id!: string;
  @Field(str()) name!: string;
}
