import { bool } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class AddedResponse {
  @Field(bool()) added!: boolean;
}
