import { enumOf } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { USER_ROLES, type UserRole } from './user-role.js';
import { Field } from '../../common/validation/model.js';

export class UserOrgInfoOut {
  @Field(uuid()) id!: string;
  @Field(str()) name!: string;
  @Field(str()) slug!: string;
  @Field(bool()) default!: boolean;
  @Field(enumOf('UserRole', USER_ROLES)) role!: UserRole;
}
