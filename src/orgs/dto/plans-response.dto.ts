import { list, model } from '../../common/validation/composites.js';
import { Plan } from './plan.dto.js';
import { Field } from '../../common/validation/model.js';

export class PlansResponse {
  @Field(list(model(() => Plan))) plans!: Plan[];
}
