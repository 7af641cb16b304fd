import { Str, Bool } from '../../common/validation/fields.js';

export class CrawlConfigAddedResponse {
  @Bool() added!: boolean;
  @Str() id!: string;
  @Str({ nullable: true }) run_now_job: string | null = null;
  @Bool() storageQuotaReached!: boolean;
  @Bool() execMinutesQuotaReached!: boolean;
  @Str({ nullable: true }) errorDetail: string | null = null;
}
