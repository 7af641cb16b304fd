import { Str, Email, Enum } from '../../common/validation/fields.js';
import { USER_ROLES, type UserRole } from '../../users/dto/user-role.js';

export class AddToOrgRequest {
  @Email() email!: string;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
  @Str() password!: string;
  @Str() name!: string;
}
