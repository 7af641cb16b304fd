import { Str, Bool, Uuid, Enum, Nested } from '../../common/validation/fields.js';
import { Subscription } from './subscription.dto.js';
import { USER_ROLES, type UserRole } from './user-role.js';

export class UserOrgInfoOutWithSubs {
  @Uuid() id!: string;
  @Str() name!: string;
  @Str() slug!: string;
  @Bool() default!: boolean;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
  @Bool() readOnly!: boolean;
  @Str({ nullable: true }) readOnlyReason: string | null = null;
  @Nested(() => Subscription, { nullable: true }) subscription: Subscription | null = null;
}
