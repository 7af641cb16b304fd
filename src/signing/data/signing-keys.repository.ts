import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { SigningKey } from './signing-key.schema.js';

/** Far more than anybody rotates. */
const MOST_KEYS = 1000;
const PUBLIC = { sealed: 0 } as const;

export type NewSigningKey = Pick<SigningKey, '_id' | 'publicKey' | 'created'> & { readonly sealed: string };

@Injectable()
export class SigningKeysRepository {
  constructor(
    @InjectModel(SigningKey.name) private readonly keys: Model<SigningKey>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The key that signs, or null before the first one. */
  async current(): Promise<SigningKey | null> {
    return decode((await this.keys.findOne({ current: true }).lean().exec()) as SigningKey | null);
  }

  /** Stores the first key. When another process has stored one, nothing changes. */
  async createFirst(key: NewSigningKey): Promise<void> {
    try {
      await this.keys.create([{ ...key, retired: null, current: true }]);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /**
   * Lets `next` sign from now on. The private half of the key before it is deleted.
   * @param before the key that signs now, or null
   * @returns false when another process has rotated meanwhile; nothing has changed
   */
  async rotate(before: string | null, next: NewSigningKey): Promise<boolean> {
    try {
      return await this.unitOfWork.run(async (session) => {
        const retiring = { $set: { retired: next.created, sealed: null }, $unset: { current: true } };
        const old = await this.keys.updateOne({ _id: before ?? '', current: true }, retiring, { session }).exec();
        if (before !== null && old.matchedCount === 0) return false;
        await this.keys.create([{ ...next, retired: null, current: true }], { session });
        return true;
      });
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** All keys without their private halves, the newest first. */
  async all(): Promise<Omit<SigningKey, 'sealed'>[]> {
    const found = this.keys.find({}, PUBLIC, { sort: { created: -1 }, limit: MOST_KEYS }).lean();
    return decode((await found.exec()) as Omit<SigningKey, 'sealed'>[]);
  }
}
