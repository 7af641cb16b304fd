import { model } from '../../common/validation/composites.js';
import { bool } from '../../common/validation/scalars.js';
import { PageNote } from './page-note.dto.js';
import { Field } from '../../common/validation/model.js';

export class PageNoteUpdatedResponse {
  @Field(bool()) updated!: boolean;
  @Field(model(() => PageNote)) data!: PageNote;
}
