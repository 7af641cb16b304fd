import { bool } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class DeletedResponseQuota {
  @Field(bool()) deleted!: boolean;
  @Field(bool()) storageQuotaReached!: boolean;
}
