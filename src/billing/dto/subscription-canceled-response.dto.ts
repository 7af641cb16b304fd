import { bool } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionCanceledResponse {
  @Field(bool()) deleted!: boolean;
  @Field(bool()) canceled!: boolean;
}
