import { bool, str } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class AddedResponseIdQuota {
  @Field(bool()) added!: boolean;
  @Field(str()) id!: string;
  @Field(bool()) storageQuotaReached!: boolean;
}
