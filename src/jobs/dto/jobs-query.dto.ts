import { PageQuery } from '../../common/pagination/page.js';
import { Of, Str, Int, Bool, Uuid } from '../../common/validation/fields.js';
import { demand, type Kind } from '../../common/validation/kind.js';
import { str } from '../../common/validation/scalars.js';
import { isUuid } from '../../common/ids/uuid.js';

const JOB_ID = /^[a-z][a-z0-9-]{0,252}$/;

/** A UUID or an id of the contract's shapes; anything else is 422 (archive §17). */
const jobId = (): Kind<string> => ({
  demands: [
    demand('isJobId', (value) => typeof value === 'string' && (JOB_ID.test(value) || isUuid(value)), {
      type: 'uuid_parsing',
      msg: 'Input should be a valid UUID, not a job id',
      ctx: { error: 'not a job id' },
    }),
  ],
  schema: str().schema,
});

export class JobsQuery extends PageQuery {
  @Bool({ nullable: true, optional: true }) success?: boolean | null;
  /** Exact job type. */
  @Str({ nullable: true, optional: true }) jobType?: string | null;
  /** success, type, started or finished; none: in order of start. */
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  @Int({ nullable: true }) sortDirection: number | null = -1;
}

export class AnyJobPath {
  @Of(jobId()) job_id!: string;
}

export class JobPath extends AnyJobPath {
  @Uuid() oid!: string;
}
