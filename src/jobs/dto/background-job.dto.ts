import { enumOf, list, mapOf, nullable } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import type { FieldType } from '../../common/validation/field-type.js';
import { jobKinds } from '../job-kind.js';
import { JobFields } from './job-fields.dto.js';

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
