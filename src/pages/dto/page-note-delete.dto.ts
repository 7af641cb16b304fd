import { list } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class PageNoteDelete {
  @Field(list(uuid()), { default: [] }) delete_list!: string[];
}
