import { anyOf } from '../../common/validation/composites.js';
import { Int, ListOf } from '../../common/validation/fields.js';
import { SubscriptionAddMinutesOut } from './subscription-add-minutes-out.dto.js';
import { SubscriptionCancelOut } from './subscription-cancel-out.dto.js';
import { SubscriptionCreateOut } from './subscription-create-out.dto.js';
import { SubscriptionImportOut } from './subscription-import-out.dto.js';
import { SubscriptionUpdateOut } from './subscription-update-out.dto.js';

export class PaginatedSubscriptionEventResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(
    anyOf(
      () => SubscriptionCreateOut,
      () => SubscriptionUpdateOut,
      () => SubscriptionCancelOut,
      () => SubscriptionImportOut,
      () => SubscriptionAddMinutesOut,
    ),
  )
  items!: (
    | SubscriptionCreateOut
    | SubscriptionUpdateOut
    | SubscriptionCancelOut
    | SubscriptionImportOut
    | SubscriptionAddMinutesOut
  )[];
}
