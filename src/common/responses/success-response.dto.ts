import { bool } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class SuccessResponse {
  @Field(bool()) success!: boolean;
}
