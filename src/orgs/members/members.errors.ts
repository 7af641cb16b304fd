import { failure, invalid, notFound } from '../../common/errors/domain-error.js';

/** The user belongs to the org already. */
export class AlreadyMember extends invalid('user_already_is_org_member') {}

/** The caller may not grant or change this role. */
export class RoleRefused extends failure('forbidden', 'User does not have permission to perform this action') {}
/** No account has the address. */
export class NoUserFound extends invalid('No user found for specified e-mail') {}
/** Nobody may change their own role. */
export class OwnRole extends invalid("Can't change own role!") {}

/** The user has no role in the org. */
export class NoSuchUser extends invalid('no_such_user') {}

/** The org has no member with this address. */
export class NoSuchOrgUser extends notFound('no_such_org_user') {}
/** The org would be left without an owner. */
export class OnlyOwner extends invalid("Can't remove only owner from org") {}
/** The caller invites their own address. */
export class InviteOurselves extends invalid("Can't invite ourselves!") {}

/** The invitee belongs to the org already. */
export class InviteeIsMember extends invalid('User already a member of this organization.') {}
