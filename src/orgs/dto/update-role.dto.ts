import { enumOf } from '../../common/validation/composites.js';
import { email } from '../../common/validation/formats.js';
import { USER_ROLES, type UserRole } from '../../users/dto/user-role.js';
import { Field } from '../../common/validation/model.js';

export class UpdateRole {
  @Field(email()) email!: string;
  @Field(enumOf('UserRole', USER_ROLES)) role!: UserRole;
}
