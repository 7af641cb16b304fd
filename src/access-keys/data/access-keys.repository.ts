import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { findRows } from '../../database/read-rows.js';
import type { Tx } from '../../database/unit-of-work.js';
import { uuid } from '../../database/uuid-codec.js';
import { AccessKey } from './access-key.schema.js';

/** More than any holder has. */
const KEYS_OF_ONE = 100;

@Injectable()
export class AccessKeysRepository {
  constructor(@InjectModel(AccessKey.name) private readonly keys: Model<AccessKey>) {}

  /** Keys of an org, or a user's personal ones, by slot. @param most no holder has more */
  async list(holder: string, most: number): Promise<AccessKey[]> {
    return findRows(this.keys, { holder }, { sort: { slot: 1 }, limit: most });
  }

  /** Keys of several holders, each with less than `KEYS_OF_ONE`. */
  async listOf(holders: readonly string[]): Promise<AccessKey[]> {
    if (holders.length === 0) return [];
    const filter = { holder: { $in: holders.map(uuid) } } as never;
    return findRows<AccessKey>(this.keys, filter, {
      sort: { holder: 1, slot: 1 },
      limit: holders.length * KEYS_OF_ONE,
    });
  }

  /** @throws the driver's duplicate-key error when another key has the slot */
  async add(key: AccessKey, tx?: Tx): Promise<void> {
    await this.keys.insertMany([key], { session: tx });
  }

  /** @returns false for a key that is not the holder's */
  async delete(holder: string, keyId: string): Promise<boolean> {
    return (await this.keys.deleteOne({ _id: keyId, holder }).exec()).deletedCount === 1;
  }

  async deleteAll(holder: string, tx?: Tx): Promise<void> {
    await this.keys.deleteMany({ holder }, { session: tx }).exec();
  }

  /** Remembers a use, unless another request of this minute has. */
  async touch(keyId: string, seen: Date | null, now: Date): Promise<void> {
    await this.keys.updateOne({ _id: keyId, lastUsed: seen }, { $set: { lastUsed: now } }).exec();
  }
}
