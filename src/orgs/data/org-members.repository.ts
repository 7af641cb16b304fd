import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { Org } from './org.schema.js';

const OWNER = 40;

/** An expression for the number of members who count as owners. */
const OWNERS = {
  $size: {
    $filter: {
      input: { $objectToArray: { $ifNull: ['$users', {}] } },
      as: 'member',
      cond: { $gte: ['$$member.v', OWNER] },
    },
  },
};

/** Who changes the members: null for a superuser, else the id of an account that has to be an owner still. */
export type ActingOwner = string | null;

const isStillOwner = (by: ActingOwner): Record<string, unknown> =>
  by === null ? {} : { [`users.${by}`]: { $gte: OWNER } };

/** Changes the role map of an org. Each statement changes one key and has its rules in the filter. */
@Injectable()
export class OrgMembersRepository {
  constructor(@InjectModel(Org.name) private readonly orgs: Model<Org>) {}

  /** Adds a member. @returns false when the user is a member already, or the org is gone */
  async add(oid: string, userId: string, role: number, tx: Tx): Promise<boolean> {
    const filter = { _id: oid, [`users.${userId}`]: { $exists: false } } as QueryFilter<Org>;
    // The update is a pipeline because `users` may be null.
    const update = [{ $set: { users: { $mergeObjects: ['$users', { [userId]: role }] } } }] as never;
    const done = await this.orgs.updateOne(filter, update, { session: tx, updatePipeline: true }).exec();
    return done.matchedCount === 1;
  }

  /** Changes a member's role. @returns false when the user is no member, or `by` is no owner any more */
  async setRole(
    oid: string,
    userId: string,
    { role, by }: { role: number; by: ActingOwner },
    tx: Tx,
  ): Promise<boolean> {
    const filter = { _id: oid, [`users.${userId}`]: { $exists: true }, ...isStillOwner(by) } as QueryFilter<Org>;
    const update = { $set: { [`users.${userId}`]: role } };
    return (await this.orgs.updateOne(filter, update, { session: tx }).exec()).matchedCount === 1;
  }

  /** Removes a member. @returns false when the user is no member or the only owner, or `by` is no owner any more */
  async remove(oid: string, userId: string, by: ActingOwner, tx: Tx): Promise<boolean> {
    const mayGo = { $or: [{ $lt: [`$users.${userId}`, OWNER] }, { $gt: [OWNERS, 1] }] };
    const filter = { _id: oid, [`users.${userId}`]: { $exists: true }, ...isStillOwner(by), $expr: mayGo };
    const update = { $unset: { [`users.${userId}`]: 1 } };
    const done = await this.orgs.updateOne(filter as QueryFilter<Org>, update as never, { session: tx }).exec();
    return done.matchedCount === 1;
  }

  /**
   * Changes a member's role, or removes the member with null.
   * @returns false when the user is no member, or the only owner and would be none
   */
  async regrant(oid: string, userId: string, role: number | null, tx: Tx): Promise<boolean> {
    const staysOwner = role !== null && role >= OWNER;
    const mayGo = { $or: [{ $lt: [`$users.${userId}`, OWNER] }, { $gt: [OWNERS, 1] }] };
    const filter = { _id: oid, [`users.${userId}`]: { $exists: true }, ...(staysOwner ? {} : { $expr: mayGo }) };
    const update = role === null ? { $unset: { [`users.${userId}`]: 1 } } : { $set: { [`users.${userId}`]: role } };
    const done = await this.orgs.updateOne(filter as QueryFilter<Org>, update as never, { session: tx }).exec();
    return done.matchedCount === 1;
  }

  /** Returns those of the users who are members of no other org. */
  async onlyHere(oid: string, userIds: readonly string[], tx?: Tx): Promise<string[]> {
    const lonely: string[] = [];
    for (const id of userIds) {
      const elsewhere = { [`users.${id}`]: { $exists: true }, _id: { $ne: oid } } as QueryFilter<Org>;
      if (
        !(await this.orgs
          .exists(elsewhere)
          .session(tx ?? null)
          .exec())
      )
        lonely.push(id);
    }
    return lonely;
  }
}
