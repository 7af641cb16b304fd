import { Bool } from '../validation/fields.js';

export class UpdatedResponse {
  @Bool() updated!: boolean;
}
