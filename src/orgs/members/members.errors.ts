import { DomainError, Invalid, NotFound } from '../../common/errors/domain-error.js';

/** The user belongs to the org already. */
export class AlreadyMember extends Invalid {
  readonly detail = 'user_already_is_org_member';
}

/** The caller may not grant or change this role. */
export class RoleRefused extends DomainError {
  readonly kind = 'forbidden';
  readonly detail = 'User does not have permission to perform this action';
}

export class NoUserFound extends Invalid {
  readonly detail = 'No user found for specified e-mail';
}

export class OwnRole extends Invalid {
  readonly detail = "Can't change own role!";
}

/** The user has no role in the org. */
export class NoSuchUser extends Invalid {
  readonly detail = 'no_such_user';
}

/** Nobody of this address in the org. */
export class NoSuchOrgUser extends NotFound {
  readonly detail = 'no_such_org_user';
}

export class OnlyOwner extends Invalid {
  readonly detail = "Can't remove only owner from org";
}

export class InviteOurselves extends Invalid {
  readonly detail = "Can't invite ourselves!";
}

/** The invitee belongs to the org already. */
export class InviteeIsMember extends Invalid {
  readonly detail = 'User already a member of this organization.';
}
