import { Str, Bool, Uuid, TimeText, Email, Enum, Int, ListOf } from '../../common/validation/fields.js';
import { USER_ROLES, type UserRole } from '../../users/dto/users.dto.js';

export class InviteOut {
  @TimeText() created!: string;
  /** Address of who sent the invite; null where it may not be shown. */
  @Email({ nullable: true }) inviterEmail: string | null = null;
  /** Name of who sent the invite. */
  @Str({ nullable: true }) inviterName: string | null = null;
  /** Whether a superuser sent the invite. */
  @Bool() fromSuperuser!: boolean;
  @Uuid({ nullable: true }) oid: string | null = null;
  @Str({ nullable: true }) orgName: string | null = null;
  /** Name of the org in URLs. */
  @Str({ nullable: true }) orgSlug: string | null = null;
  @Enum('UserRole', USER_ROLES) role: UserRole = 10;
  @Email({ nullable: true }) email: string | null = null;
  /** Whether the invite is to the first owner of a new org. */
  @Bool() firstOrgAdmin = false;
  /** Why the mail of the invite was not sent; absent when nothing is wrong. */
  @Str({ optional: true }) mailError?: string;
}

export class InviteTokenPath {
  /** Token of the invite. */
  @Uuid() token!: string;
}

export class InviteEmailQuery {
  /** Address to which the invite was sent. */
  @Email() email!: string;
}

export class PaginatedInvitePendingResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => InviteOut) items!: InviteOut[];
}
