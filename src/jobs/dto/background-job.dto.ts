import { enumOf, list, mapOf, nullable } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { BG_JOB_TYPES, type BgJobType } from './bg-job-type.js';
import { JobFields } from './job-fields.dto.js';

export class BackgroundJob extends JobFields {
  @Field(enumOf('BgJobType', BG_JOB_TYPES)) type!: BgJobType;
  /** Why the last run failed; addition to the contract. */
  @Field(nullable(str()), { optional: true }) error?: string | null;
  /** The latest 500 lines of the job's log, oldest first; only where one job is asked for. Addition to the contract. */
  @Field(nullable(list(mapOf(str()))), { optional: true }) logs?: Record<string, string>[] | null;
}
