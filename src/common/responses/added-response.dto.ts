import { Bool } from '../validation/fields.js';

export class AddedResponse {
  @Bool() added!: boolean;
}
