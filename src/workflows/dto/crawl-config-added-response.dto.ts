import { nullable } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlConfigAddedResponse {
  @Field(bool()) added!: boolean;
  @Field(str()) id!: string;
  @Field(nullable(str()), { default: null }) run_now_job!: string | null;
  @Field(bool()) storageQuotaReached!: boolean;
  @Field(bool()) execMinutesQuotaReached!: boolean;
  @Field(nullable(str()), { default: null }) errorDetail!: string | null;
}
