import { isUuid } from '../../common/ids/uuid.js';
import { PageQuery } from '../../common/pagination/page.js';
import { StorageRefOut } from '../../common/responses/responses.dto.js';
import { mapOf } from '../../common/validation/composites.js';
import { Of, Str, Int, Bool, Uuid, ListOf, Nested } from '../../common/validation/fields.js';
import { written, type Kind, demand } from '../../common/validation/kind.js';
import { modelRef, namedRef } from '../../common/validation/references.js';
import { str } from '../../common/validation/scalars.js';
import type { Job } from '../data/job.schema.js';
import { jobKinds } from '../job-kind.js';
import { JobFields } from './job-fields.dto.js';

/** The contract's `BgJobType`, and ours; which there are is known once all rooms are loaded. */
const jobType = (): Kind<string> =>
  written(() => namedRef('BgJobType', () => ({ type: 'string', enum: jobKinds().map(({ type }) => type) })));

export class BackgroundJob extends JobFields {
  /** Kind of the job. */
  @Of(jobType()) type!: string;
  /** Why the last run failed; addition to the contract. */
  @Str({ nullable: true, optional: true }) error?: string | null;
  /** The latest 500 lines of the job's log, oldest first; only where one job is asked for. Addition to the contract. */
  @ListOf(mapOf(str()), { nullable: true, optional: true }) logs?: Record<string, string>[] | null;
}

/** What answers say of a job that works on a copy of an object. */
export class ReplicaJobFields extends JobFields {
  /** Key of the object. */
  @Str() file_path!: string;
  /** What the object belongs to: a crawl, an upload, a profile. */
  @Str() object_type!: string;
  /** Id of what the file belongs to. */
  @Str() object_id!: string;
  /** The storage of the copy. */
  @Nested(() => StorageRefOut) replica_storage!: StorageRefOut;
}

export const replicaOf = ({ file_path, object_type, object_id, replica_storage }: Job) => ({
  file_path: file_path ?? '',
  object_type: object_type ?? '',
  object_id: object_id ?? '',
  replica_storage: { name: replica_storage?.name ?? '', custom: replica_storage?.custom ?? false },
});

/** The contract's name of the union lists its members: generators make files of it with names too long for a disk. */
const UNION = 'AnyJob';

/** A job of any kind; which there are is known once all rooms are loaded. */
export const anyJob = (): Kind<BackgroundJob> =>
  written(() => ({ anyOf: [BackgroundJob, ...jobKinds().flatMap(({ body }) => body ?? [])].map(modelRef) }));

/** As `anyJob`, as a component of its own. */
export const anyBackgroundJob = (): Kind<BackgroundJob> => written(() => namedRef(UNION, anyJob().schema));

export class PaginatedBackgroundJobResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(anyJob()) items!: BackgroundJob[];
}

const RUN_ID = /^[a-z][a-z0-9-]{0,252}$/;

/** A UUID or an id of the contract's shapes; anything else is 422 (archive §17). */
const jobId = (): Kind<string> => ({
  demands: [
    demand('isJobId', (value) => typeof value === 'string' && (RUN_ID.test(value) || isUuid(value)), {
      type: 'uuid_parsing',
      msg: 'Input should be a valid UUID, not a job id',
      ctx: { error: 'not a job id' },
    }),
  ],
  schema: str().schema,
});

export class JobsQuery extends PageQuery {
  /** Only jobs that succeeded (true) or failed (false). */
  @Bool({ nullable: true, optional: true }) success?: boolean | null;
  /** Exact job type. */
  @Str({ nullable: true, optional: true }) jobType?: string | null;
  /** success, type, started or finished; none: in order of start. */
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  @Int({ nullable: true }) sortDirection: number | null = -1;
}

export class AnyJobPath {
  /** Id of the job. */
  @Of(jobId()) job_id!: string;
}

export class JobPath extends AnyJobPath {
  @Uuid() oid!: string;
}
