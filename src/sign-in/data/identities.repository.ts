import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { Identity } from './identity.schema.js';

@Injectable()
export class IdentitiesRepository {
  constructor(@InjectModel(Identity.name) private readonly identities: Model<Identity>) {}

  /** Finds an identity and writes when it was seen, so that parallel sign-ins of one person come one after the other. */
  async seen({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>, now: Date, tx: Tx): Promise<Identity | null> {
    const query = this.identities.findOneAndUpdate(
      { issuer, subject },
      { $set: { lastSeen: now } },
      { session: tx, returnDocument: 'after' },
    );
    return decode((await query.lean().exec()) as Identity | null);
  }

  /** @returns id of the account that a person has here, null for none */
  async accountOf(issuer: string, subject: string): Promise<string | null> {
    const query = this.identities.findOne({ issuer, subject }, { _id: 0, userid: 1 });
    return decode((await query.lean().exec()) as Pick<Identity, 'userid'> | null)?.userid ?? null;
  }

  async isLinked(userid: string, issuer: string, tx: Tx): Promise<boolean> {
    return (await this.identities.exists({ userid, issuer }).session(tx).exec()) !== null;
  }

  /** @throws the driver's duplicate-key error when the person, or the account at this issuer, has an identity */
  async insert(identity: Identity, tx: Tx): Promise<void> {
    await this.identities.insertMany([identity], { session: tx });
  }

  async setGrants(id: string, grants: Pick<Identity, 'granted' | 'grantedSuperuser'>, tx: Tx): Promise<void> {
    await this.identities.updateOne({ _id: id }, { $set: grants }, { session: tx }).exec();
  }

  async deleteOf(userIds: readonly string[]): Promise<void> {
    await this.identities.deleteMany({ userid: { $in: [...userIds] } }).exec();
  }

  async delete(id: string, tx: Tx): Promise<void> {
    await this.identities.deleteOne({ _id: id }, { session: tx }).exec();
  }
}
