import { wireSecond } from '../common/validation/date-time.js';
import type { UserRole } from '../users/dto/users.dto.js';
import type { Invite } from './data/invite.schema.js';
import type { InviteOut } from './dto/invites.dto.js';

export interface InviteView {
  /** The account of `inviterEmail`, if it still exists. */
  readonly inviter: { readonly email: string; readonly name: string } | null;
  readonly org: { readonly name: string; readonly slug: string } | null;
  readonly firstOrgAdmin: boolean;
  /** True for those who invite. */
  readonly showsMailError?: boolean;
}

/** A superuser who invites is not named. An invite stays valid without its inviter. Contract: accounts §6.1, D8. */
export function toInviteOut(
  invite: Invite,
  { inviter, org, firstOrgAdmin, showsMailError = false }: InviteView,
): InviteOut {
  const shown = invite.fromSuperuser ? null : inviter;
  return {
    created: wireSecond(invite.created),
    inviterEmail: shown?.email ?? null,
    inviterName: shown?.name ?? null,
    fromSuperuser: invite.fromSuperuser ?? false,
    oid: invite.oid,
    orgName: org?.name ?? null,
    orgSlug: org?.slug ?? null,
    role: invite.role as UserRole,
    email: invite.email,
    firstOrgAdmin,
    ...(showsMailError && invite.mailError ? { mailError: invite.mailError } : {}),
  };
}
