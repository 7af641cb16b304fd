import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SubscriptionPortalUrlResponse {
  @Field(str(), { default: '' }) portalUrl!: string;
}
