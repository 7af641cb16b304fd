import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PageBounds } from '../../common/pagination/page.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { Invite } from './invite.schema.js';

@Injectable()
export class InvitesRepository {
  constructor(@InjectModel(Invite.name) private readonly invites: Model<Invite>) {}

  /** @param after invites created at or before this time have expired */
  async findByHash(tokenHash: string, after: Date, tx?: Tx): Promise<Invite | null> {
    const query = this.invites.findOne({ tokenHash, created: { $gt: after } }, null, { session: tx });
    return decode((await query.lean().exec()) as Invite | null);
  }

  async findForEmail(oid: string, email: string, after: Date, tx?: Tx): Promise<Invite | null> {
    const query = this.invites.findOne({ oid, email, created: { $gt: after } }, null, { session: tx });
    return decode((await query.lean().exec()) as Invite | null);
  }

  async findForUser(oid: string, userid: string, after: Date, tx?: Tx): Promise<Invite | null> {
    const query = this.invites.findOne({ oid, userid, created: { $gt: after } }, null, { session: tx });
    return decode((await query.lean().exec()) as Invite | null);
  }

  async insert(invite: Invite, tx?: Tx): Promise<void> {
    await this.invites.insertMany([invite], { session: tx });
  }

  /** @returns whether this call took the invite; only one of two parallel calls does */
  async consume(id: string, tx: Tx): Promise<boolean> {
    return (await this.invites.deleteOne({ _id: id }, { session: tx }).exec()).deletedCount === 1;
  }

  async setMailError(tokenHash: string, mailError: string): Promise<void> {
    await this.invites.updateOne({ tokenHash }, { $set: { mailError } }).exec();
  }

  async listForOrg(oid: string, after: Date, bounds: PageBounds): Promise<Invite[]> {
    const query = this.invites.find({ oid, created: { $gt: after } }, null, {
      ...bounds,
      sort: { created: 1, _id: 1 },
    });
    return decode((await query.lean().exec()) as Invite[]);
  }

  async countForOrg(oid: string, after: Date): Promise<number> {
    return this.invites.countDocuments({ oid, created: { $gt: after } }).exec();
  }

  async listAcrossOrgs(after: Date, bounds: PageBounds): Promise<Invite[]> {
    const query = this.invites.find({ created: { $gt: after } }, null, { ...bounds, sort: { created: 1, _id: 1 } });
    return decode((await query.lean().exec()) as Invite[]);
  }

  async countAcrossOrgs(after: Date): Promise<number> {
    return this.invites.countDocuments({ created: { $gt: after } }).exec();
  }

  /** @returns how many were deleted */
  async deleteForEmail(oid: string, email: string, tx?: Tx): Promise<number> {
    return (await this.invites.deleteMany({ oid, email }, { session: tx }).exec()).deletedCount;
  }

  async deleteForOrg(oid: string, tx?: Tx): Promise<number> {
    return (await this.invites.deleteMany({ oid }, { session: tx }).exec()).deletedCount;
  }

  /** Changes the inviter's address in pending invites. */
  async renameInviter(from: string, to: string): Promise<void> {
    await this.invites.updateMany({ inviterEmail: from }, { $set: { inviterEmail: to } }).exec();
  }
}
