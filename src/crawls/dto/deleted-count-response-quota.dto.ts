import { bool, int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class DeletedCountResponseQuota {
  @Field(int()) deleted!: number;
  @Field(bool()) storageQuotaReached!: boolean;
}
