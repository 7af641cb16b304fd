import { nullable } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlConfigUpdateResponse {
  @Field(bool(), { default: true }) updated!: boolean;
  @Field(bool()) settings_changed!: boolean;
  @Field(bool()) metadata_changed!: boolean;
  @Field(bool(), { default: false }) updatedRunning!: boolean;
  @Field(nullable(bool()), { default: false }) storageQuotaReached!: boolean | null;
  @Field(nullable(bool()), { default: false }) execMinutesQuotaReached!: boolean | null;
  @Field(nullable(str()), { default: null }) started!: string | null;
}
