import { bool } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class RemovedResponse {
  @Field(bool()) removed!: boolean;
}
