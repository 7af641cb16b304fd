import { int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlConfigRunningCountsResponse {
  @Field(int(), { default: 0 }) totalRunningPausedWaiting!: number;
  @Field(int(), { default: 0 }) totalRunning!: number;
  @Field(int(), { default: 0 }) totalPaused!: number;
  @Field(int(), { default: 0 }) totalWaiting!: number;
  @Field(int(), { default: 0 }) running!: number;
  @Field(int(), { default: 0 }) pendingWait!: number;
  @Field(int(), { default: 0 }) generateWACZ!: number;
  @Field(int(), { default: 0 }) uploadingWACZ!: number;
  @Field(int(), { default: 0 }) rateLimited!: number;
  @Field(int(), { default: 0 }) paused!: number;
  @Field(int(), { default: 0 }) pausedStorageQuotaReached!: number;
  @Field(int(), { default: 0 }) pausedTimeQuotaReached!: number;
  @Field(int(), { default: 0 }) pausedOrgReadOnly!: number;
  @Field(int(), { default: 0 }) pausedRateLimitTimeReached!: number;
  @Field(int(), { default: 0 }) starting!: number;
  @Field(int(), { default: 0 }) waitingCapacity!: number;
  @Field(int(), { default: 0 }) waitingOrgLimit!: number;
  @Field(int(), { default: 0 }) waitingDedupeIndex!: number;
}
