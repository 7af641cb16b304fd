import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class ValidateCustomBehavior {
  @Field(str()) customBehavior!: string;
}
