import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import type { PageBounds } from '../common/pagination/page.js';
import { seconds, wholeSecond } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import type { Tx } from '../database/unit-of-work.js';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import type { Invite } from './data/invite.schema.js';
import { InvitesRepository } from './data/invites.repository.js';
import { AlreadyInvited, InvalidInvite, InviteNotFound } from './invites.errors.js';

/** Hash of a token, lower-case hex SHA-256. Only the hash is stored (accounts §6.1). */
const inviteHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Longest stored reason of a mail server. */
const MAX_REASON_CHARS = 500;

export interface NewInvite {
  readonly oid: string;
  readonly role: number;
  /** Address in lower case. */
  readonly email: string;
  /** Id of the invitee's account, if there is one. */
  readonly userid: string | null;
  readonly inviter: Pick<Principal, 'email' | 'isSuperuser'>;
}

/** Creates, finds and uses up pending invites. Contract: accounts §6. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly invites: InvitesRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  @OnFact('user.emailChanged', 'invites.inviter')
  async inviterRenamed({ payload: { from, to } }: DomainEvent<'user.emailChanged'>): Promise<void> {
    await this.invites.renameInviter(from, to);
  }

  /** @returns the token, which nobody else learns. @throws AlreadyInvited */
  async create(invite: NewInvite, tx?: Tx): Promise<string> {
    await this.makeRoom(invite, tx);
    const token = newId();
    const { oid, role, email, userid, inviter } = invite;
    await this.invites.insert(
      {
        _id: newId(),
        created: this.clock.creationTime(),
        tokenHash: inviteHash(token),
        inviterEmail: inviter.email,
        fromSuperuser: inviter.isSuperuser,
        oid,
        role,
        email,
        userid,
      },
      tx,
    );
    return token;
  }

  /**
   * @param by who shows the token: the account and its address, or an address alone
   * @throws InvalidInvite
   */
  async find(token: string, by: { id?: string; email: string }, tx?: Tx): Promise<Invite> {
    const invite = await this.invites.findByHash(inviteHash(token), this.expiredAt(), tx);
    if (!invite) throw new InvalidInvite();
    // An invite for an account stays that account's, whatever its address becomes.
    const isFor =
      invite.userid && by.id !== undefined
        ? invite.userid === by.id
        : !invite.email || invite.email.toLowerCase() === by.email.toLowerCase();
    if (!isFor) throw new InvalidInvite();
    return invite;
  }

  /** Uses up the invite. @throws InvalidInvite when another request used it first */
  async consume({ _id }: Invite, tx: Tx): Promise<void> {
    if (!(await this.invites.consume(_id, tx))) throw new InvalidInvite();
  }

  /** Records that the invite's mail was not sent. @param reason for those who invite */
  async noteMailFailure(token: string, reason: string): Promise<void> {
    await this.invites.setMailError(inviteHash(token), reason.slice(0, MAX_REASON_CHARS));
  }

  async listForOrg(oid: string, bounds: PageBounds): Promise<{ invites: Invite[]; total: number }> {
    const after = this.expiredAt();
    const [invites, total] = await Promise.all([
      this.invites.listForOrg(oid, after, bounds),
      this.invites.countForOrg(oid, after),
    ]);
    return { invites, total };
  }

  async listAcrossOrgs(bounds: PageBounds): Promise<{ invites: Invite[]; total: number }> {
    const after = this.expiredAt();
    const [invites, total] = await Promise.all([
      this.invites.listAcrossOrgs(after, bounds),
      this.invites.countAcrossOrgs(after),
    ]);
    return { invites, total };
  }

  /** @returns how many were deleted. @throws InviteNotFound */
  async delete(oid: string, email: string): Promise<number> {
    const count = await this.invites.deleteForEmail(oid, email);
    if (count === 0) throw new InviteNotFound();
    return count;
  }

  private async makeRoom({ oid, email, userid }: NewInvite, tx?: Tx): Promise<void> {
    const after = this.expiredAt();
    const pending = userid
      ? await this.invites.findForUser(oid, userid, after, tx)
      : await this.invites.findForEmail(oid, email, after, tx);
    if (!pending) return;
    if (!this.config.accounts.allowDuplicateInvites) throw new AlreadyInvited(userid !== null);
    // Accounts may hold several invites; an address alone has only the newest.
    if (!userid) await this.invites.deleteForEmail(oid, email, tx);
  }

  /**
   * Invites made at or before this time have expired, even if the TTL index has not removed them. Their displayed
   * second counts.
   */
  private expiredAt(): Date {
    const lastSecond = new Date(this.clock.nowMs() - seconds(this.config.accounts.inviteLifetimeSeconds));
    return new Date(wholeSecond(lastSecond).getTime() + 999);
  }
}
