import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { aggregateRows, findRows } from '../../database/read-rows.js';
import { uuid } from '../../database/uuid-codec.js';
import { AccessKey } from '../../access-keys/data/access-key.schema.js';
import { ServiceAccount } from '../../access-keys/data/service-account.schema.js';
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
  /** The service account whose key it is; null for keys of people. */
  readonly service: CallingService | null;
}

/** Of a service account, what tells who calls. */
export type CallingService = Pick<ServiceAccount, '_id' | 'name' | 'role' | 'disabled'>;

/** Whose a key is. */
interface KeyOwner {
  readonly id: string;
  readonly isService: boolean;
}

/** Keys whose owners a process knows. */
const MOST_OWNERS = 10_000;

/** Adds a document, related or not, to what a pipeline gives. */
const withOne = (collection: string, id: string, as: string): PipelineStage => ({
  $unionWith: { coll: collection, pipeline: [{ $match: { _id: uuid(id) } }, { $replaceWith: { [as]: '$$ROOT' } }] },
});
const withOrg = (collection: string, oid: string): PipelineStage => withOne(collection, oid, 'org');

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
  /** Whose keys are, by key; those that were looked up first come first. */
  private readonly owners = new Map<string, KeyOwner>();

  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(Org.name) private readonly orgs: Model<Org>,
    @InjectModel(AccessKey.name) private readonly keys: Model<AccessKey>,
    @InjectModel(ServiceAccount.name) private readonly services: Model<ServiceAccount>,
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

  /**
   * Reads a key, whose it is, and the org of the request, if it has one. Whose a key is never changes, so a process looks
   * it up once; from then on all three are read by their ids, in one trip and without a join.
   */
  async keyOwnerAndOrg(keyId: string, oid: string | null): Promise<FoundKeyCaller> {
    const nobody = { key: null, user: null, service: null, org: null };
    const owner = this.owners.get(keyId) ?? (await this.lookUpOwner(keyId));
    if (!owner) return nobody;
    const [model, match, fields, as] = owner.isService
      ? ([this.services, { _id: uuid(owner.id) }, { name: 1, role: 1, disabled: 1 }, 'service'] as const)
      : ([this.users, { id: uuid(owner.id) }, callingUser(null), 'user'] as const);
    const stages: PipelineStage[] = [
      { $match: match },
      { $project: fields },
      { $replaceWith: { [as]: '$$ROOT' } },
      withOne(this.keys.collection.name, keyId, 'key'),
      ...(oid === null ? [] : [withOrg(this.orgs.collection.name, oid)]),
    ];
    const found = await aggregateRows<Partial<FoundKeyCaller>, never>(model as never, stages, { atMost: 3 });
    return { ...nobody, ...(Object.assign({}, ...found) as Partial<FoundKeyCaller>) };
  }

  private async lookUpOwner(keyId: string): Promise<KeyOwner | null> {
    const projection = { userid: 1, isService: 1 };
    const [key] = await findRows<AccessKey>(this.keys, { _id: keyId }, { projection, limit: 1 });
    if (!key) return null;
    const [oldest] = this.owners.keys();
    if (oldest !== undefined && this.owners.size >= MOST_OWNERS) this.owners.delete(oldest);
    const owner = { id: key.userid, isService: key.isService ?? false };
    this.owners.set(keyId, owner);
    return owner;
  }
}
