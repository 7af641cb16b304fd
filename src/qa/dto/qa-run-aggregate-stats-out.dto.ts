import { ListOf } from '../../common/validation/fields.js';
import { QARunBucketStats } from './qa-run-bucket-stats.dto.js';

export class QARunAggregateStatsOut {
  @ListOf(() => QARunBucketStats) screenshotMatch!: QARunBucketStats[];
  @ListOf(() => QARunBucketStats) textMatch!: QARunBucketStats[];
}
