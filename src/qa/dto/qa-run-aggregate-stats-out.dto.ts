import { list, model } from '../../common/validation/composites.js';
import { QARunBucketStats } from './qa-run-bucket-stats.dto.js';
import { Field } from '../../common/validation/model.js';

export class QARunAggregateStatsOut {
  @Field(list(model(() => QARunBucketStats))) screenshotMatch!: QARunBucketStats[];
  @Field(list(model(() => QARunBucketStats))) textMatch!: QARunBucketStats[];
}
