import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { SigningKey } from './signing-key.schema.js';

/** Far more than anybody rotates, in all orgs. */
const MOST_KEYS = 10_000;
/** The same in one org. */
const MOST_OF_ORG = 1_000;
const PUBLIC = { sealed: 0 } as const;

export type NewSigningKey = Pick<SigningKey, '_id' | 'publicKey' | 'created'> & { readonly sealed: string };

/** The org that a key is for. */
export interface OrgOfKey {
  readonly _id: string;
  readonly name: string;
}

@Injectable()
export class SigningKeysRepository {
  constructor(
    @InjectModel(SigningKey.name) private readonly keys: Model<SigningKey>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The installation's key that signs, or null before the first one. */
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
    return this.alone(async (tx) => {
      const hadOne = await this.retire({ _id: before ?? '', current: true }, next.created, tx);
      if (before !== null && !hadOne) return false;
      await this.keys.create([{ ...next, retired: null, current: true }], { session: tx });
      return true;
    });
  }

  /** The key that signs for the org, or null when it has none of its own. */
  async currentOf(oid: string): Promise<SigningKey | null> {
    return decode((await this.keys.findOne({ currentOf: oid }).lean().exec()) as SigningKey | null);
  }

  /**
   * Lets `next` sign for the org from now on. The private half of the key before it is deleted.
   * @returns false when another process has done so meanwhile; nothing has changed
   */
  async rotateOf({ _id: oid, name }: OrgOfKey, next: NewSigningKey): Promise<boolean> {
    return this.alone(async (tx) => {
      await this.retire({ currentOf: oid }, next.created, tx);
      const of = { oid, orgName: name, currentOf: oid };
      await this.keys.create([{ ...next, ...of, retired: null }], { session: tx });
      return true;
    });
  }

  /** Deletes the private half of the org's key, so that the installation's signs. @returns false when it has none */
  async retireOf(oid: string, now: Date): Promise<boolean> {
    return this.unitOfWork.run((tx) => this.retire({ currentOf: oid }, now, tx));
  }

  /** All keys that the org has had, without their private halves, the newest first. */
  async ofOrg(oid: string): Promise<Omit<SigningKey, 'sealed'>[]> {
    const found = this.keys.find({ oid }, PUBLIC, { sort: { created: -1 }, limit: MOST_OF_ORG }).lean();
    return decode((await found.exec()) as Omit<SigningKey, 'sealed'>[]);
  }

  /** All keys without their private halves, the newest first. */
  async all(): Promise<Omit<SigningKey, 'sealed'>[]> {
    const found = this.keys.find({}, PUBLIC, { sort: { created: -1 }, limit: MOST_KEYS }).lean();
    return decode((await found.exec()) as Omit<SigningKey, 'sealed'>[]);
  }

  /** @returns false also when another process has let a key sign meanwhile, of which there is one at a time */
  private async alone(change: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    try {
      return await this.unitOfWork.run(change);
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private async retire(which: QueryFilter<SigningKey>, now: Date, tx: Tx): Promise<boolean> {
    const retiring = { $set: { retired: now, sealed: null }, $unset: { current: true, currentOf: true } };
    return (await this.keys.updateOne(which, retiring, { session: tx }).exec()).matchedCount > 0;
  }
}
