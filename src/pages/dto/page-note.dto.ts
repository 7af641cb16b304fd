import { dateTime, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PageNote {
  @Field(uuid()) id!: string;
  @Field(str({ max: 5000 })) text!: string;
  @Field(dateTime()) created!: string;
  @Field(uuid()) userid!: string;
  @Field(str()) userName!: string;
}
