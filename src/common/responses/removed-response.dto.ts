import { Bool } from '../validation/fields.js';

export class RemovedResponse {
  @Bool() removed!: boolean;
}
