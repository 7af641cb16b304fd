import { Str } from '../../common/validation/fields.js';

export class CheckoutAddonMinutesResponse {
  @Str() checkoutUrl!: string;
}
