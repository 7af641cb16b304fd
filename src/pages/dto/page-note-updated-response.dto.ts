import { Bool, Nested } from '../../common/validation/fields.js';
import { PageNote } from './page-note.dto.js';

export class PageNoteUpdatedResponse {
  @Bool() updated!: boolean;
  @Nested(() => PageNote) data!: PageNote;
}
