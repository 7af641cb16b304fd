import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PageBounds } from '../../common/pagination/page.js';
import { IGNORE_CASE } from '../../database/org-scoped.js';
import { findRows } from '../../database/read-rows.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { sessionsBut } from './login-sessions.repository.js';
import { User } from './user.schema.js';

/** The account itself: neither the driver's id, nor sessions, of which there may be many, nor what proves somebody. */
const ACCOUNT = { _id: 0, sessions: 0, secondFactor: 0 } as const;

@Injectable()
export class UsersRepository {
  constructor(@InjectModel(User.name) private readonly users: Model<User>) {}

  async findById(id: string, tx?: Tx): Promise<User | null> {
    const [user] = await findRows(this.users, { id }, { projection: ACCOUNT, limit: 1, tx });
    return user ?? null;
  }

  /** Finds a user by address whatever the case; accents count. */
  async findByEmail(email: string, tx?: Tx): Promise<User | null> {
    const options = { session: tx, collation: IGNORE_CASE };
    return decode((await this.users.findOne({ email }, ACCOUNT, options).lean().exec()) as User | null);
  }

  /** Users in no particular order. Unknown ids are left out. */
  async findByIds(ids: readonly string[], tx?: Tx): Promise<User[]> {
    const query = this.users.find({ id: { $in: [...ids] } }, ACCOUNT, { session: tx, limit: ids.length });
    return ids.length === 0 ? [] : decode((await query.lean().exec()) as User[]);
  }

  async findByEmails(emails: readonly string[]): Promise<User[]> {
    const query = this.users.find({ email: { $in: [...emails] } }, ACCOUNT, {
      limit: emails.length,
      collation: IGNORE_CASE,
    });
    return emails.length === 0 ? [] : decode((await query.lean().exec()) as User[]);
  }

  /** The oldest account with `is_superuser`. */
  async findSuperuser(): Promise<User | null> {
    const query = this.users.findOne({ is_superuser: true }, ACCOUNT, { sort: { _id: 1 } });
    return decode((await query.lean().exec()) as User | null);
  }

  /** Users as stored, oldest first; ids of one second are in order within one process only. Nearly all match. */
  async listNormal(bounds: PageBounds): Promise<User[]> {
    const query = this.users.find({ is_superuser: false }, ACCOUNT, { ...bounds, sort: { $natural: 1 } });
    return decode((await query.lean().exec()) as User[]);
  }

  async countNormal(): Promise<number> {
    return this.users.countDocuments({ is_superuser: false }).exec();
  }

  /** @throws the driver's duplicate-key error when the address is taken */
  async insert(user: User, tx?: Tx): Promise<void> {
    await this.users.insertMany([user], { session: tx });
  }

  /** @throws the driver's duplicate-key error when a new address is taken. @returns whether the user exists */
  async update(
    id: string,
    set: Partial<Omit<User, 'id' | 'hashed_password' | 'sessions' | 'secondFactor'>>,
    tx?: Tx,
  ): Promise<boolean> {
    return (await this.users.updateOne({ id }, { $set: set }, { session: tx }).exec()).matchedCount === 1;
  }

  /** Stores a new hash only over the hash `from`. @returns false when another writer was first */
  async replaceHash(id: string, from: string, to: string): Promise<boolean> {
    const done = await this.users.updateOne({ id, hashed_password: from }, { $set: { hashed_password: to } }).exec();
    return done.modifiedCount === 1;
  }

  /**
   * Changes the password over the hash `from`, and ends all sessions but `kept` in the same step.
   * @returns false when another writer was first
   */
  async changePassword(id: string, { from, to }: { from: string; to: string }, kept: string | null): Promise<boolean> {
    const update = { $set: { hashed_password: to }, ...sessionsBut(kept) };
    return (await this.users.updateOne({ id, hashed_password: from }, update).exec()).matchedCount === 1;
  }

  /** Sets a password for an account, and ends all its sessions in the same step. */
  async setPassword(id: string, hash: string): Promise<void> {
    await this.users.updateOne({ id }, { $set: { hashed_password: hash }, ...sessionsBut(null) }).exec();
  }

  /** @returns false when the address was verified already, or is no longer this user's */
  async markVerified(id: string, email: string): Promise<boolean> {
    const done = await this.users
      .updateOne({ id, email, is_verified: false }, { $set: { is_verified: true } }, { collation: IGNORE_CASE })
      .exec();
    return done.modifiedCount === 1;
  }

  /** Makes a superuser a normal user. @returns false while there is no other superuser */
  async demote(id: string, tx: Tx): Promise<boolean> {
    if (
      !(await this.users
        .exists({ is_superuser: true, id: { $ne: id } })
        .session(tx)
        .exec())
    )
      return false;
    await this.users.updateOne({ id }, { $set: { is_superuser: false } }, { session: tx }).exec();
    return true;
  }

  /** Deletes users but keeps superusers. @returns how many were deleted */
  async deleteNormal(ids: readonly string[], tx?: Tx): Promise<number> {
    const filter = { id: { $in: [...ids] }, is_superuser: { $ne: true } };
    return (await this.users.deleteMany(filter, { session: tx }).exec()).deletedCount;
  }
}
