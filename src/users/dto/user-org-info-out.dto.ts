import { Str, Bool, Uuid, Enum } from '../../common/validation/fields.js';
import { USER_ROLES, type UserRole } from './user-role.js';

export class UserOrgInfoOut {
  @Uuid() id!: string;
  @Str() name!: string;
  @Str() slug!: string;
  @Bool() default!: boolean;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
}
