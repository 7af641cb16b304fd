import { Int } from '../../common/validation/fields.js';

export class OrgQuotas {
  @Int() storageQuota = 0;
  @Int() maxExecMinutesPerMonth = 0;
  @Int() maxConcurrentCrawls = 0;
  @Int() maxPagesPerCrawl = 0;
  @Int() extraExecMinutes = 0;
  @Int() giftedExecMinutes = 0;
}
