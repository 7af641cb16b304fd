import { enumOf } from '../../common/validation/composites.js';
import { email } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { USER_ROLES, type UserRole } from '../../users/dto/user-role.js';
import { Field } from '../../common/validation/model.js';

export class AddToOrgRequest {
  @Field(email()) email!: string;
  @Field(enumOf('UserRole', USER_ROLES)) role!: UserRole;
  @Field(str()) password!: string;
  @Field(str()) name!: string;
}
