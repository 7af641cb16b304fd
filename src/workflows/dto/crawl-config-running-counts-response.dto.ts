import { Int } from '../../common/validation/fields.js';

export class CrawlConfigRunningCountsResponse {
  @Int() totalRunningPausedWaiting = 0;
  @Int() totalRunning = 0;
  @Int() totalPaused = 0;
  @Int() totalWaiting = 0;
  @Int() running = 0;
  @Int() pendingWait = 0;
  @Int() generateWACZ = 0;
  @Int() uploadingWACZ = 0;
  @Int() rateLimited = 0;
  @Int() paused = 0;
  @Int() pausedStorageQuotaReached = 0;
  @Int() pausedTimeQuotaReached = 0;
  @Int() pausedOrgReadOnly = 0;
  @Int() pausedRateLimitTimeReached = 0;
  @Int() starting = 0;
  @Int() waitingCapacity = 0;
  @Int() waitingOrgLimit = 0;
  @Int() waitingDedupeIndex = 0;
}
