import { model, oneOf } from '../../common/validation/composites.js';
import type { FieldType } from '../../common/validation/field-type.js';
import { anything } from '../../common/validation/scalars.js';
import { jobKinds } from '../job-kind.js';
import { BackgroundJob } from './background-job.dto.js';

/** The contract's name of the union. Kinds that it does not know join without a change of it. */
const UNION =
  'RootModel_Union_CreateReplicaJob__DeleteReplicaJob__BackgroundJob__DeleteOrgJob__RecalculateOrgStatsJob__' +
  'ReAddOrgPagesJob__OptimizePagesJob__CleanupSeedFilesJob__UpdateCollStatsJob__PostProcessUploadJob__' +
  'RetryStuckUploadsJob__';

/** A job of any kind; which there are is known once all rooms are loaded. */
export const anyJob = (): FieldType<unknown> => ({
  parse: anything().parse,
  schema: (refs) =>
    oneOf(...[BackgroundJob, ...jobKinds().flatMap(({ body }) => body ?? [])].map((body) => model(() => body))).schema(
      refs,
    ),
});

/** As `anyJob`, by the contract's name. */
export const anyBackgroundJob = (): FieldType<unknown> => ({
  parse: anything().parse,
  schema: (refs) => refs.named(UNION, anyJob().schema(refs)),
});
