import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PageBounds } from '../../common/pagination/page.js';
import { IGNORE_CASE } from '../../database/org-scoped.js';
import { findRows } from '../../database/read-rows.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { User } from './user.schema.js';

const WITHOUT_DRIVER_ID = { _id: 0 } as const;

@Injectable()
export class UsersRepository {
  constructor(@InjectModel(User.name) private readonly users: Model<User>) {}

  async findById(id: string, tx?: Tx): Promise<User | null> {
    const [user] = await findRows(this.users, { id }, { projection: WITHOUT_DRIVER_ID, limit: 1, tx });
    return user ?? null;
  }

  /** Finds a user by address whatever the case; accents count. */
  async findByEmail(email: string, tx?: Tx): Promise<User | null> {
    const options = { session: tx, collation: IGNORE_CASE };
    return decode((await this.users.findOne({ email }, WITHOUT_DRIVER_ID, options).lean().exec()) as User | null);
  }

  /** Users in no particular order. Unknown ids are left out. */
  async findByIds(ids: readonly string[], tx?: Tx): Promise<User[]> {
    const query = this.users.find({ id: { $in: [...ids] } }, WITHOUT_DRIVER_ID, { session: tx, limit: ids.length });
    return ids.length === 0 ? [] : decode((await query.lean().exec()) as User[]);
  }

  async findByEmails(emails: readonly string[]): Promise<User[]> {
    const query = this.users.find({ email: { $in: [...emails] } }, WITHOUT_DRIVER_ID, {
      limit: emails.length,
      collation: IGNORE_CASE,
    });
    return emails.length === 0 ? [] : decode((await query.lean().exec()) as User[]);
  }

  /** The oldest account with `is_superuser`. */
  async findSuperuser(): Promise<User | null> {
    const query = this.users.findOne({ is_superuser: true }, WITHOUT_DRIVER_ID, { sort: { _id: 1 } });
    return decode((await query.lean().exec()) as User | null);
  }

  /** Users as stored, oldest first; ids of one second are in order within one process only. Nearly all match. */
  async listNormal(bounds: PageBounds): Promise<User[]> {
    const query = this.users.find({ is_superuser: false }, WITHOUT_DRIVER_ID, { ...bounds, sort: { $natural: 1 } });
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
  async update(id: string, set: Partial<Omit<User, 'id'>>, tx?: Tx): Promise<boolean> {
    return (await this.users.updateOne({ id }, { $set: set }, { session: tx }).exec()).matchedCount === 1;
  }

  /** Stores a new hash only over the hash `from`. @returns false when another writer was first */
  async replaceHash(id: string, from: string, to: string): Promise<boolean> {
    const done = await this.users.updateOne({ id, hashed_password: from }, { $set: { hashed_password: to } }).exec();
    return done.modifiedCount === 1;
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
