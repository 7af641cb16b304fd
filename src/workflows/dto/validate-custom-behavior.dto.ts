import { Str } from '../../common/validation/fields.js';

export class ValidateCustomBehavior {
  @Str() customBehavior!: string;
}
