import { Str, Uuid } from '../../common/validation/fields.js';

export class PageNoteEdit {
  @Uuid() id!: string;
  @Str() text!: string;
}
