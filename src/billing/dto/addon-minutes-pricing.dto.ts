import { num, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class AddonMinutesPricing {
  @Field(num()) value!: number;
  @Field(str()) currency!: string;
}
