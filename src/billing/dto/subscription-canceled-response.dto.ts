import { Bool } from '../../common/validation/fields.js';

export class SubscriptionCanceledResponse {
  @Bool() deleted!: boolean;
  @Bool() canceled!: boolean;
}
