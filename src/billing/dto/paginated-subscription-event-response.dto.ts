import { list, model, oneOf } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { SubscriptionAddMinutesOut } from './subscription-add-minutes-out.dto.js';
import { SubscriptionCancelOut } from './subscription-cancel-out.dto.js';
import { SubscriptionCreateOut } from './subscription-create-out.dto.js';
import { SubscriptionImportOut } from './subscription-import-out.dto.js';
import { SubscriptionUpdateOut } from './subscription-update-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedSubscriptionEventResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(
    list(
      oneOf(
        model(() => SubscriptionCreateOut),
        model(() => SubscriptionUpdateOut),
        model(() => SubscriptionCancelOut),
        model(() => SubscriptionImportOut),
        model(() => SubscriptionAddMinutesOut),
      ),
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
