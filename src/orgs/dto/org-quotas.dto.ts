import { int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgQuotas {
  @Field(int(), { default: 0 }) storageQuota!: number;
  @Field(int(), { default: 0 }) maxExecMinutesPerMonth!: number;
  @Field(int(), { default: 0 }) maxConcurrentCrawls!: number;
  @Field(int(), { default: 0 }) maxPagesPerCrawl!: number;
  @Field(int(), { default: 0 }) extraExecMinutes!: number;
  @Field(int(), { default: 0 }) giftedExecMinutes!: number;
}
