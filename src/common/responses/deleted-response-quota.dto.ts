import { Bool } from '../validation/fields.js';

export class DeletedResponseQuota {
  @Bool() deleted!: boolean;
  @Bool() storageQuotaReached!: boolean;
}
