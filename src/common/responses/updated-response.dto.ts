import { bool } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class UpdatedResponse {
  @Field(bool()) updated!: boolean;
}
