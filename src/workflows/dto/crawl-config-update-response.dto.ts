import { Str, Bool } from '../../common/validation/fields.js';

export class CrawlConfigUpdateResponse {
  @Bool() updated = true;
  @Bool() settings_changed!: boolean;
  @Bool() metadata_changed!: boolean;
  @Bool() updatedRunning = false;
  @Bool({ nullable: true }) storageQuotaReached: boolean | null = false;
  @Bool({ nullable: true }) execMinutesQuotaReached: boolean | null = false;
  @Str({ nullable: true }) started: string | null = null;
}
