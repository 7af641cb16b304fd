import { nullable } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgQuotasIn {
  @Field(nullable(int()), { optional: true }) storageQuota?: number | null;
  @Field(nullable(int()), { optional: true }) maxExecMinutesPerMonth?: number | null;
  @Field(nullable(int()), { optional: true }) maxConcurrentCrawls?: number | null;
  @Field(nullable(int()), { optional: true }) maxPagesPerCrawl?: number | null;
  @Field(nullable(int()), { optional: true }) extraExecMinutes?: number | null;
  @Field(nullable(int()), { optional: true }) giftedExecMinutes?: number | null;
}
