import { nullable, mapOf } from '../../common/validation/composites.js';
import { Str, Bool, Uuid, TimeText, ListOf } from '../../common/validation/fields.js';
import { timeText } from '../../common/validation/formats.js';

/** What answers say of a job of any type, but for whose it is. */
export class JobRun {
  @Str() id!: string;
  /** Null while the job is under way. */
  @Bool({ nullable: true }) success: boolean | null = null;
  @TimeText() started!: string;
  @TimeText({ nullable: true }) finished: string | null = null;
  /** `started` and `finished` of the runs before this one. */
  @ListOf(mapOf(nullable(timeText())), { nullable: true }) previousAttempts: Record<string, string | null>[] | null =
    null;
}

export class JobFields extends JobRun {
  /** Null for jobs that are of no org. */
  @Uuid({ nullable: true }) oid: string | null = null;
}
