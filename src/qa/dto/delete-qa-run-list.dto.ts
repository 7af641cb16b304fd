import { list } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class DeleteQARunList {
  @Field(list(str())) qa_run_ids!: string[];
}
