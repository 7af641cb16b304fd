import { bool } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class DeletedResponse {
  @Field(bool()) deleted!: boolean;
}
