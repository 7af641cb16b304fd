import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { ServiceAccount } from './service-account.schema.js';

/** What may be changed of a service account. */
export type ServiceAccountChange = Partial<Pick<ServiceAccount, 'name' | 'role' | 'disabled'>>;

@Injectable()
export class ServiceAccountsRepository {
  private readonly scoped: OrgScoped<ServiceAccount>;

  constructor(@InjectModel(ServiceAccount.name) private readonly accounts: Model<ServiceAccount>) {
    this.scoped = new OrgScoped(accounts);
  }

  /** Service accounts of an org, by slot. @param most no org has more */
  list(oid: string, most: number): Promise<ServiceAccount[]> {
    return this.scoped.find(oid, {}, { sort: { slot: 1 }, limit: most });
  }

  find(oid: string, accountId: string): Promise<ServiceAccount | null> {
    return this.scoped.findOne(oid, { _id: accountId });
  }

  /** Service accounts of any org. Those that are gone are missing. */
  async findByIdsAcrossOrgs(ids: readonly string[]): Promise<ServiceAccount[]> {
    const query = this.accounts.find({ _id: { $in: [...ids] } }, null, { limit: ids.length });
    return ids.length === 0 ? [] : decode((await query.lean().exec()) as ServiceAccount[]);
  }

  /** @returns false when another account has the slot */
  async insert(account: ServiceAccount): Promise<boolean> {
    try {
      await this.accounts.insertMany([account]);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  /** @returns false for an account that is not the org's */
  async change(oid: string, accountId: string, set: ServiceAccountChange): Promise<boolean> {
    const done = await this.accounts.updateOne({ _id: accountId, oid }, { $set: set }).exec();
    return done.matchedCount === 1;
  }

  /** Holds the account for a key that is made in the transaction. @returns false when it is gone */
  async hold(oid: string, accountId: string, now: Date, tx: Tx): Promise<boolean> {
    const held = { $set: { keyMade: now } };
    return (await this.accounts.updateOne({ _id: accountId, oid }, held, { session: tx }).exec()).matchedCount === 1;
  }

  /** @returns false for an account that is not the org's */
  async delete(oid: string, accountId: string, tx: Tx): Promise<boolean> {
    return (await this.accounts.deleteOne({ _id: accountId, oid }, { session: tx }).exec()).deletedCount === 1;
  }

  async deleteAll(oid: string): Promise<void> {
    await this.accounts.deleteMany({ oid }).exec();
  }
}
