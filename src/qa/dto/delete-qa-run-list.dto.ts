import { ListOf } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';

export class DeleteQARunList {
  @ListOf(itemId()) qa_run_ids!: string[];
}
