import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { findRows } from '../../database/read-rows.js';
import { AccessKey } from './access-key.schema.js';

@Injectable()
export class AccessKeysRepository {
  constructor(@InjectModel(AccessKey.name) private readonly keys: Model<AccessKey>) {}

  /** Keys of an org, or a user's personal ones, by slot. @param most no holder has more */
  async list(holder: string, most: number): Promise<AccessKey[]> {
    return findRows(this.keys, { holder }, { sort: { slot: 1 }, limit: most });
  }

  /** @returns false when another key has the slot */
  async insert(key: AccessKey): Promise<boolean> {
    try {
      await this.keys.insertMany([key]);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  /** @returns false for a key that is not the holder's */
  async delete(holder: string, keyId: string): Promise<boolean> {
    return (await this.keys.deleteOne({ _id: keyId, holder }).exec()).deletedCount === 1;
  }

  async deleteAll(holder: string): Promise<void> {
    await this.keys.deleteMany({ holder }).exec();
  }

  /** Remembers a use, unless another request of this minute has. */
  async touch(keyId: string, seen: Date | null, now: Date): Promise<void> {
    await this.keys.updateOne({ _id: keyId, lastUsed: seen }, { $set: { lastUsed: now } }).exec();
  }
}
