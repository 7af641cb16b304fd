import { ListOf } from '../../common/validation/fields.js';
import { Plan } from './plan.dto.js';

export class PlansResponse {
  @ListOf(() => Plan) plans!: Plan[];
}
