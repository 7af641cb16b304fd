import { Bool } from '../validation/fields.js';

export class SuccessResponse {
  @Bool() success!: boolean;
}
