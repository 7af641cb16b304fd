import { ListOf } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';

export class PageNoteDelete {
  @ListOf(uuid()) delete_list: string[] = [];
}
