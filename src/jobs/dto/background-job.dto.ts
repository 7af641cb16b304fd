import type { FieldType } from '../../common/validation/field-type.js';
import { StorageRefOut } from '../../common/responses/storage-ref.dto.js';
import { enumOf, list, mapOf, model, nullable, oneOf } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { anything, bool, int, str } from '../../common/validation/scalars.js';
import type { Job } from '../data/job.schema.js';
import { jobKinds } from '../job-kind.js';

/** What answers say of a job of any type. */
export class JobFields {
  @Field(str()) id!: string;
  /** Null for jobs that are of no org. */
  @Field(nullable(uuid()), { default: null }) oid!: string | null;
  /** Null while the job is under way. */
  @Field(nullable(bool()), { default: null }) success!: boolean | null;
  @Field(dateTime()) started!: string;
  @Field(nullable(dateTime()), { default: null }) finished!: string | null;
  /** `started` and `finished` of the runs before this one. */
  @Field(nullable(list(mapOf(nullable(dateTime())))), { default: null }) previousAttempts!:
    Record<string, string | null>[] | null;
}

/** The contract's `BgJobType`, and ours; which there are is known once all rooms are loaded. */
const jobType = (): FieldType<string> => ({
  parse: str().parse,
  schema: (refs) =>
    enumOf(
      'BgJobType',
      jobKinds().map(({ type }) => type as string),
    ).schema(refs),
});

export class BackgroundJob extends JobFields {
  @Field(jobType()) type!: string;
  /** Why the last run failed; addition to the contract. */
  @Field(nullable(str()), { optional: true }) error?: string | null;
  /** The latest 500 lines of the job's log, oldest first; only where one job is asked for. Addition to the contract. */
  @Field(nullable(list(mapOf(str()))), { optional: true }) logs?: Record<string, string>[] | null;
}

/** What answers say of a job that works on a copy of an object. */
export class ReplicaJobFields extends JobFields {
  /** Key of the object. */
  @Field(str()) file_path!: string;
  /** What the object belongs to: a crawl, an upload, a profile. */
  @Field(str()) object_type!: string;
  @Field(str()) object_id!: string;
  @Field(model(() => StorageRefOut)) replica_storage!: StorageRefOut;
}

export const replicaOf = ({ file_path, object_type, object_id, replica_storage }: Job) => ({
  file_path: file_path ?? '',
  object_type: object_type ?? '',
  object_id: object_id ?? '',
  replica_storage: { name: replica_storage?.name ?? '', custom: replica_storage?.custom ?? false },
});

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

export class PaginatedBackgroundJobResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(anyJob())) items!: BackgroundJob[];
}
