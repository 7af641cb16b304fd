import { Email, Enum } from '../../common/validation/fields.js';
import { USER_ROLES, type UserRole } from '../../users/dto/user-role.js';

export class UpdateRole {
  @Email() email!: string;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
}
