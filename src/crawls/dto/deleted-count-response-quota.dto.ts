import { Int, Bool } from '../../common/validation/fields.js';

export class DeletedCountResponseQuota {
  @Int() deleted!: number;
  @Bool() storageQuotaReached!: boolean;
}
