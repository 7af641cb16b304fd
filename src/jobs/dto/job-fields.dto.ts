import { list, mapOf, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, str } from '../../common/validation/scalars.js';

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
