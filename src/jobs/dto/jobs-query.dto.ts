import { PageQuery } from '../../common/pagination/page.js';
import { nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { accept, refuse } from '../../common/validation/issue.js';
import type { FieldType } from '../../common/validation/field-type.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';

const JOB_ID = /^[a-z][a-z0-9-]{0,252}$/;

/** A UUID or an id of the contract's shapes; anything else is 422 (archive §17). */
const jobId = (): FieldType<string> => ({
  parse: (value) => {
    if (typeof value === 'string' && (JOB_ID.test(value) || uuid().parse(value).ok)) return accept(value);
    const error = 'not a job id';
    return refuse('uuid_parsing', `Input should be a valid UUID, ${error}`, value, { error });
  },
  schema: () => ({ type: 'string' }),
});

export class JobsQuery extends PageQuery {
  @Field(nullable(bool()), { optional: true }) success?: boolean | null;
  /** Exact job type. */
  @Field(nullable(str()), { optional: true }) jobType?: string | null;
  /** success, type, started or finished; none: in order of start. */
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  @Field(nullable(int()), { default: -1 }) sortDirection!: number | null;
}

export class AnyJobPath {
  @Field(jobId()) job_id!: string;
}

export class JobPath extends AnyJobPath {
  @Field(uuid()) oid!: string;
}
