import { list, model, oneOf } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { BackgroundJob } from './background-job.dto.js';
import { CleanupSeedFilesJob } from './cleanup-seed-files-job.dto.js';
import { CreateReplicaJob } from './create-replica-job.dto.js';
import { DeleteOrgJob } from './delete-org-job.dto.js';
import { DeleteReplicaJob } from './delete-replica-job.dto.js';
import { OptimizePagesJob } from './optimize-pages-job.dto.js';
import { PostProcessUploadJob } from './post-process-upload-job.dto.js';
import { ReAddOrgPagesJob } from './re-add-org-pages-job.dto.js';
import { RecalculateOrgStatsJob } from './recalculate-org-stats-job.dto.js';
import { RetryStuckUploadsJob } from './retry-stuck-uploads-job.dto.js';
import { UpdateCollStatsJob } from './update-coll-stats-job.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedBackgroundJobResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(
    list(
      oneOf(
        model(() => CreateReplicaJob),
        model(() => DeleteReplicaJob),
        model(() => BackgroundJob),
        model(() => DeleteOrgJob),
        model(() => RecalculateOrgStatsJob),
        model(() => ReAddOrgPagesJob),
        model(() => OptimizePagesJob),
        model(() => CleanupSeedFilesJob),
        model(() => UpdateCollStatsJob),
        model(() => PostProcessUploadJob),
        model(() => RetryStuckUploadsJob),
      ),
    ),
  )
  items!: (
    | CreateReplicaJob
    | DeleteReplicaJob
    | BackgroundJob
    | DeleteOrgJob
    | RecalculateOrgStatsJob
    | ReAddOrgPagesJob
    | OptimizePagesJob
    | CleanupSeedFilesJob
    | UpdateCollStatsJob
    | PostProcessUploadJob
    | RetryStuckUploadsJob
  )[];
}
