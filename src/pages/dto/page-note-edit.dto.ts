import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PageNoteEdit {
  @Field(uuid()) id!: string;
  @Field(str()) text!: string;
}
