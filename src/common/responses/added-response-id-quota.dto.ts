import { Str, Bool } from '../validation/fields.js';

export class AddedResponseIdQuota {
  @Bool() added!: boolean;
  @Str() id!: string;
  @Bool() storageQuotaReached!: boolean;
}
