import { Injectable } from '@nestjs/common';
import { ROLE, type Principal } from '../../common/access/access.js';
import { pageBounds, pageOf, type ListPage, type PageQuery } from '../../common/pagination/page.js';
import { parseEmail } from '../../common/validation/email.js';
import { invalidInput } from '../../common/validation/issue.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { Invite } from '../../invites/data/invite.schema.js';
import type { InviteOut } from '../../invites/dto/invites.dto.js';
import { toInviteOut } from '../../invites/invite.presenter.js';
import { InvalidInvite } from '../../invites/invites.errors.js';
import { InvitesService } from '../../invites/invites.service.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import type { Org } from '../data/org.schema.js';
import { InviteMails } from './invite-mails.js';
import type { Invited } from './invited.js';
import { AlreadyMember, InviteeIsMember, InviteOurselves } from './members.errors.js';
import { assertRoleAllowed, Membership } from './membership.js';

/**
 * Returns the address of the invitee. Some clients send it percent-encoded; the decoded address is the one that is
 * meant (accounts §6.2, D10).
 * @throws InputRefused 422 when the decoded text is no address
 */
function inviteeOf(given: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(given);
  } catch {
    // A percent sign that encodes nothing is part of the address.
    return given.toLowerCase();
  }
  const parsed = parseEmail(decoded);
  if ('address' in parsed) return parsed.address;
  throw invalidInput(['body', 'email'], `value is not a valid email address: ${parsed.reason}`, given);
}

/** Invites to orgs, and shows, accepts and deletes invites. Contract: accounts §6. */
@Injectable()
export class OrgInvites {
  constructor(
    private readonly invites: InvitesService,
    private readonly orgs: OrgsRepository,
    private readonly users: UsersRepository,
    private readonly membership: Membership,
    private readonly mails: InviteMails,
  ) {}

  /**
   * Stores an invite and mails it.
   * @throws InviteOurselves, InviteeIsMember 400; AlreadyInvited, RoleRefused 403
   */
  async invite(org: Org, inviter: Principal, given: { email: string; role: number; origin: string }): Promise<Invited> {
    assertRoleAllowed(inviter, given.role);
    const invited = await this.store(org, inviter, given);
    this.mails.invite(org, inviter, invited, given.origin);
    return invited;
  }

  /**
   * Stores an invite without mailing it. It may run in a transaction of the caller's, who mails the invite afterwards.
   */
  async store(
    org: Pick<Org, '_id' | 'users'>,
    inviter: Principal,
    { email: given, role }: { email: string; role: number },
    tx?: Tx,
  ): Promise<Invited> {
    const email = inviteeOf(given);
    const user = await this.users.findByEmail(email, tx);
    if (user?.id === inviter.id) throw new InviteOurselves();
    if (user && org.users?.[user.id] !== undefined) throw new InviteeIsMember();
    const token = await this.invites.create({ oid: org._id, role, email, userid: user?.id ?? null, inviter }, tx);
    return { invited: user ? 'existing_user' : 'new_user', token, email };
  }

  /** Accepts an invite, which makes the caller a member. @throws InvalidInvite, AlreadyMember */
  async accept(token: string, caller: Principal): Promise<Org> {
    const invite = await this.invites.find(token, caller);
    const org = await this.orgs.findById(invite.oid);
    if (!org) throw new InvalidInvite();
    if (org.users?.[caller.id] !== undefined) throw new AlreadyMember();
    return this.membership.joining(async (tx) => {
      await this.invites.consume(invite, tx);
      return this.membership.join(invite.oid, caller, invite.role, tx);
    });
  }

  /** Shows an invite to the holder of its token. @throws InvalidInvite */
  async show(token: string, by: { id?: string; email: string }): Promise<InviteOut> {
    const invite = await this.invites.find(token, by);
    const org = await this.orgs.findById(invite.oid);
    if (!org) throw new InvalidInvite();
    const hasOwner = Object.values(org.users ?? {}).includes(ROLE.owner);
    const inviter = invite.inviterEmail ? await this.users.findByEmail(invite.inviterEmail) : null;
    return toInviteOut(invite, { inviter, org, firstOrgAdmin: invite.role >= ROLE.owner && !hasOwner });
  }

  async listForOrg(oid: string, query: PageQuery): Promise<ListPage<InviteOut>> {
    const { invites, total } = await this.invites.listForOrg(oid, pageBounds(query));
    return pageOf(query, total, await this.present(invites));
  }

  async listAcrossOrgs(query: PageQuery): Promise<ListPage<InviteOut>> {
    const { invites, total } = await this.invites.listAcrossOrgs(pageBounds(query));
    return pageOf(query, total, await this.present(invites));
  }

  /** Deletes the org's invites for an address. @returns how many were deleted @throws InviteNotFound */
  delete(oid: string, email: string): Promise<number> {
    return this.invites.delete(oid, inviteeOf(email));
  }

  private async present(invites: readonly Invite[]): Promise<InviteOut[]> {
    const inviters = [...new Set(invites.flatMap(({ inviterEmail }) => inviterEmail ?? []))];
    const [users, orgs] = await Promise.all([
      this.users.findByEmails(inviters),
      this.orgs.findByIds([...new Set(invites.map(({ oid }) => oid))]),
    ]);
    const userOf = new Map(users.map((user) => [user.email, user]));
    const orgOf = new Map(orgs.map((org) => [org._id, org]));
    return invites.map((invite) =>
      toInviteOut(invite, {
        inviter: userOf.get(invite.inviterEmail?.toLowerCase() ?? '') ?? null,
        org: orgOf.get(invite.oid) ?? null,
        firstOrgAdmin: false,
        showsMailError: true,
      }),
    );
  }
}
