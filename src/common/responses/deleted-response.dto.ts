import { Bool } from '../validation/fields.js';

export class DeletedResponse {
  @Bool() deleted!: boolean;
}
