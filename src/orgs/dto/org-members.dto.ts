import { Str, Email, Enum, Bool, ListOf, Nested, Int, Uuid } from '../../common/validation/fields.js';
import { USER_ROLES, type UserRole } from '../../users/dto/users.dto.js';
import { OrgOut } from './orgs.dto.js';

export class AddToOrgRequest {
  @Email() email!: string;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
  @Str() password!: string;
  @Str() name!: string;
}

export class InviteToOrgRequest {
  @Email() email!: string;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
}

export class OrgAcceptInviteResponse {
  /** Whether the user is a member now. */
  @Bool() added!: boolean;
  @Nested(() => OrgOut) org!: OrgOut;
}

export class OrgDeleteInviteResponse {
  @Bool() removed!: boolean;
  /** Number of invites that were deleted. */
  @Int() count!: number;
}

export class OrgInviteResponse {
  @Str() invited!: string;
  /** Token of the invite. */
  @Uuid() token!: string;
}

export class RemoveFromOrg {
  @Email() email!: string;
}

export class RemovePendingInvite {
  @Email() email!: string;
}

export class UpdateRole {
  @Email() email!: string;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
}

export class OrgSecondFactorIn {
  /** Whether members need a second factor. */
  @Bool() demanded!: boolean;
}

export class MemberFactorOut {
  @Str() name!: string;
  @Str() email!: string;
  /** Whether the account has one here. Who signs in at a provider that vouches for one needs none. */
  @Bool() hasSecondFactor!: boolean;
}

export class OrgSecondFactorOut {
  /** Whether members need a second factor. */
  @Bool() demanded!: boolean;
  /** All members of the org. */
  @ListOf(() => MemberFactorOut) members!: MemberFactorOut[];
}
