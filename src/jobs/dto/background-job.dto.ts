import { enumOf, list, mapOf, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { BG_JOB_TYPES, type BgJobType } from './bg-job-type.js';
import { Field } from '../../common/validation/model.js';

export class BackgroundJob {
  @Field(str()) id!: string;
  @Field(enumOf('BgJobType', BG_JOB_TYPES)) type!: BgJobType;
  @Field(nullable(uuid()), { default: null }) oid!: string | null;
  @Field(nullable(bool()), { default: null }) success!: boolean | null;
  @Field(dateTime()) started!: string;
  @Field(nullable(dateTime()), { default: null }) finished!: string | null;
  @Field(nullable(list(mapOf(nullable(dateTime())))), { default: null }) previousAttempts!:
    Record<string, string | null>[] | null;
  /** Why the last run failed; addition to the contract. */
  @Field(nullable(str()), { optional: true }) error?: string | null;
  /** The latest 500 lines of the job's log, oldest first; only where one job is asked for. Addition to the contract. */
  @Field(nullable(list(mapOf(str()))), { optional: true }) logs?: Record<string, string>[] | null;
}
