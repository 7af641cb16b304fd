import { bool } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SuccessResponseStorageQuota {
  @Field(bool()) success!: boolean;
  @Field(bool()) storageQuotaReached!: boolean;
}
