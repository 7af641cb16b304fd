import { Str } from '../../common/validation/fields.js';

export class SubscriptionPortalUrlResponse {
  @Str() portalUrl = '';
}
