import { Bool } from '../../common/validation/fields.js';

export class SuccessResponseStorageQuota {
  @Bool() success!: boolean;
  @Bool() storageQuotaReached!: boolean;
}
