import { Str } from '../../common/validation/fields.js';

export class PageNoteIn {
  @Str() text!: string;
}
