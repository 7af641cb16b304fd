import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { aggregateRows, findRows } from '../../database/read-rows.js';
import { uuid } from '../../database/uuid-codec.js';
import { AccessKey } from '../../access-keys/data/access-key.schema.js';
import { Org } from '../../orgs/data/org.schema.js';
import { User } from '../../users/data/user.schema.js';

/** Of an account, what tells who calls; of its sessions at most the one that was asked for. */
export type CallingUser = Pick<User, 'id' | 'email' | 'name' | 'is_superuser' | 'is_verified' | 'sessions'>;

export interface FoundCaller {
  readonly user: CallingUser | null;
  /** Null for an unknown org. */
  readonly org: Org | null;
}

export interface FoundKeyCaller extends FoundCaller {
  /** Null for an unknown key. */
  readonly key: AccessKey | null;
}

/** Adds the org, related or not, to what a pipeline gives. */
const withOrg = (collection: string, oid: string): PipelineStage => ({
  $unionWith: { coll: collection, pipeline: [{ $match: { _id: uuid(oid) } }, { $replaceWith: { org: '$$ROOT' } }] },
});

/** A `CallingUser` of an account. @param sid null: none of its sessions is asked for */
const callingUser = (sid: string | null): Record<string, unknown> => ({
  ...{ _id: 0, id: 1, email: 1, name: 1, is_superuser: 1, is_verified: 1 },
  ...(sid === null
    ? {}
    : { sessions: { $filter: { input: { $ifNull: ['$sessions', []] }, cond: { $eq: ['$$this.sid', uuid(sid)] } } } }),
});

/** The read with which nearly every request begins. */
@Injectable()
export class CallersQueries {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(Org.name) private readonly orgs: Model<Org>,
    @InjectModel(AccessKey.name) private readonly keys: Model<AccessKey>,
  ) {}

  async user(userId: string, sid: string | null): Promise<CallingUser | null> {
    const filter = { id: userId };
    const [user] = await findRows<User>(this.users, filter, { projection: callingUser(sid), limit: 1 });
    return user ?? null;
  }

  /** Reads a user and an org, related or not, in one trip to the database instead of two. */
  async userAndOrg(userId: string, sid: string | null, oid: string): Promise<FoundCaller> {
    const stages: PipelineStage[] = [
      { $match: { id: uuid(userId) } },
      { $project: callingUser(sid) },
      { $replaceWith: { user: '$$ROOT' } },
      withOrg(this.orgs.collection.name, oid),
    ];
    const found = await aggregateRows<Partial<FoundCaller>, User>(this.users, stages, { atMost: 2 });
    return { user: null, org: null, ...(Object.assign({}, ...found) as Partial<FoundCaller>) };
  }

  /** Reads a key, its creator, and the org of the request, if it has one, in one trip. */
  async keyUserAndOrg(keyId: string, oid: string | null): Promise<FoundKeyCaller> {
    const fields = { localField: 'key.userid', foreignField: 'id', as: 'user' };
    const pipeline = [{ $project: callingUser(null) }];
    const users = { from: this.users.collection.name, ...fields, pipeline };
    const stages: PipelineStage[] = [
      { $match: { _id: uuid(keyId) } },
      { $replaceWith: { key: '$$ROOT' } },
      { $lookup: users },
      { $set: { user: { $ifNull: [{ $first: '$user' }, null] } } },
      ...(oid === null ? [] : [withOrg(this.orgs.collection.name, oid)]),
    ];
    const found = await aggregateRows<Partial<FoundKeyCaller>, AccessKey>(this.keys, stages, { atMost: 2 });
    return { key: null, user: null, org: null, ...(Object.assign({}, ...found) as Partial<FoundKeyCaller>) };
  }
}
