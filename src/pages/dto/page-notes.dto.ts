import { Str, Uuid, TimeText, Bool, Nested, ListOf } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';

export class PageNote {
  @Uuid() id!: string;
  @Str({ max: 5000 }) text!: string;
  @TimeText() created!: string;
  @Uuid() userid!: string;
  @Str() userName!: string;
}

export class PageNoteAddedResponse {
  @Bool() added!: boolean;
  @Nested(() => PageNote) data!: PageNote;
}

export class PageNoteDelete {
  /** Ids of the notes. */
  @ListOf(uuid()) delete_list: string[] = [];
}

export class PageNoteEdit {
  @Uuid() id!: string;
  @Str() text!: string;
}

export class PageNoteIn {
  @Str() text!: string;
}

export class PageNoteUpdatedResponse {
  @Bool() updated!: boolean;
  @Nested(() => PageNote) data!: PageNote;
}
