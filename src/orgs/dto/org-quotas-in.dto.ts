import { Int } from '../../common/validation/fields.js';

export class OrgQuotasIn {
  @Int({ nullable: true, optional: true }) storageQuota?: number | null;
  @Int({ nullable: true, optional: true }) maxExecMinutesPerMonth?: number | null;
  @Int({ nullable: true, optional: true }) maxConcurrentCrawls?: number | null;
  @Int({ nullable: true, optional: true }) maxPagesPerCrawl?: number | null;
  @Int({ nullable: true, optional: true }) extraExecMinutes?: number | null;
  @Int({ nullable: true, optional: true }) giftedExecMinutes?: number | null;
}
