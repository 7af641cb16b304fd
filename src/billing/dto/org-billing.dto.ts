import { Str, Num } from '../../common/validation/fields.js';

export class AddonMinutesPricing {
  @Num() value!: number;
  @Str() currency!: string;
}

export class CheckoutAddonMinutesResponse {
  @Str() checkoutUrl!: string;
}

export class SubscriptionPortalUrlResponse {
  @Str() portalUrl = '';
}
