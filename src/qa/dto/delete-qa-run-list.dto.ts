import { list } from '../../common/validation/composites.js';
import { itemId } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class DeleteQARunList {
  @Field(list(itemId())) qa_run_ids!: string[];
}
