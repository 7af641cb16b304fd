import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PageNoteIn {
  @Field(str()) text!: string;
}
