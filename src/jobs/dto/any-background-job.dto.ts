import { model } from '../../common/validation/composites.js';
import type { FieldType } from '../../common/validation/field-type.js';
import { anything } from '../../common/validation/scalars.js';
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

const KINDS = [
  ...[CreateReplicaJob, DeleteReplicaJob, BackgroundJob, DeleteOrgJob, RecalculateOrgStatsJob, ReAddOrgPagesJob],
  ...[OptimizePagesJob, CleanupSeedFilesJob, UpdateCollStatsJob, PostProcessUploadJob, RetryStuckUploadsJob],
];

/** The contract's name of the union: all its members in a row. */
const UNION = `RootModel_Union_${KINDS.map(({ name }) => `${name}__`).join('')}`;

/** A job of any type. */
export const anyBackgroundJob = (): FieldType<unknown> => ({
  parse: anything().parse,
  schema: (refs) => refs.named(UNION, { anyOf: KINDS.map((kind) => model(() => kind as never).schema(refs)) }),
});

export type AnyBackgroundJob =
  BackgroundJob | CreateReplicaJob | DeleteReplicaJob | ReAddOrgPagesJob | UpdateCollStatsJob | PostProcessUploadJob;
