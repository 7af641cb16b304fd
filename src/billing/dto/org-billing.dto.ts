import { Str, Num } from '../../common/validation/fields.js';

export class AddonMinutesPricing {
  /** Price of one minute. */
  @Num() value!: number;
  @Str() currency!: string;
}

export class CheckoutAddonMinutesResponse {
  /** Address of the page to pay on. */
  @Str() checkoutUrl!: string;
}

export class SubscriptionPortalUrlResponse {
  /** Address of the billing portal; empty: none. */
  @Str() portalUrl = '';
}
