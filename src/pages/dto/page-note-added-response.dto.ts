import { Bool, Nested } from '../../common/validation/fields.js';
import { PageNote } from './page-note.dto.js';

export class PageNoteAddedResponse {
  @Bool() added!: boolean;
  @Nested(() => PageNote) data!: PageNote;
}
