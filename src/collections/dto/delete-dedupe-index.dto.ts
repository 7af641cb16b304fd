import { bool } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class DeleteDedupeIndex {
  @Field(bool(), { default: false }) removeFromWorkflows!: boolean;
}
