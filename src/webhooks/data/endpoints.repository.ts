import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import { decode, uuid, uuids } from '../../database/uuid-codec.js';
import { Endpoint, SigningSecret } from './endpoint.schema.js';

const endpointId = (oid: string, event: string): string => `${oid}:${event}`;

@Injectable()
export class EndpointsRepository {
  private readonly scoped: OrgScoped<Endpoint>;

  constructor(
    @InjectModel(Endpoint.name) private readonly endpoints: Model<Endpoint>,
    @InjectModel(SigningSecret.name) private readonly secrets: Model<SigningSecret>,
  ) {
    this.scoped = new OrgScoped(endpoints);
  }

  /** The org's endpoints, at most one per event. */
  findAll(oid: string): Promise<Endpoint[]> {
    return this.scoped.find(oid, {}, { limit: 50 });
  }

  get(oid: string, event: string): Promise<Endpoint | null> {
    return this.scoped.findOne(oid, { _id: endpointId(oid, event) });
  }

  /** The paused endpoints of these orgs, at most one per event. */
  async findPaused(oids: readonly string[]): Promise<Endpoint[]> {
    const filter = { oid: { $in: uuids(oids) }, paused: true } as unknown as QueryFilter<Endpoint>;
    return decode((await this.endpoints.find(filter).lean().exec()) as Endpoint[]);
  }

  async succeeded(successes: readonly { oid: string; event: string; at: Date }[]): Promise<void> {
    const operations = successes.map(({ oid, event, at }) => ({
      updateOne: {
        filter: { _id: endpointId(oid, event), oid: uuid(oid) },
        update: { $max: { lastSuccess: at }, $set: { failingSince: null }, $setOnInsert: { event, paused: false } },
        upsert: true,
      },
    }));
    const write = () => this.endpoints.collection.bulkWrite(operations as never, { ordered: false });
    // Another process may insert the same endpoint at this moment; then it exists.
    await write().catch((error: unknown) => (isDuplicateKey(error) ? write() : Promise.reject(error as Error)));
  }

  /** @returns the first failure since the last success */
  async failed(oid: string, event: string, at: Date): Promise<Date> {
    const update = [
      { $set: { event, paused: { $ifNull: ['$paused', false] }, failingSince: { $ifNull: ['$failingSince', at] } } },
    ];
    const after = await this.scoped.findOneAndUpdate(oid, { _id: endpointId(oid, event) }, update, { upsert: true });
    return after?.failingSince ?? at;
  }

  /** @returns whether this call paused it */
  async pause(oid: string, event: string): Promise<boolean> {
    const filter = { _id: endpointId(oid, event), paused: false };
    return (await this.scoped.updateOne(oid, filter, { $set: { paused: true } })).matched === 1;
  }

  /** @returns whether it was paused */
  async resume(oid: string, event: string): Promise<boolean> {
    const filter = { _id: endpointId(oid, event), paused: true };
    return (await this.scoped.updateOne(oid, filter, { $set: { paused: false, failingSince: null } })).matched === 1;
  }

  /** Returns the org's secret; stores a new one if the org has none. */
  async secretOf(oid: string, ifNone: () => string): Promise<SigningSecret> {
    const known = await this.secrets.findOne({ _id: oid }).lean().exec();
    if (known) return decode(known as SigningSecret);
    const stored = await this.secrets
      .findOneAndUpdate(
        { _id: oid },
        { $setOnInsert: { secret: ifNone(), previous: null, previousValidUntil: null } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean()
      .exec();
    return decode(stored as SigningSecret);
  }

  /** Replaces the secret `current`. When another rotation has replaced it already, nothing changes. */
  async rotate(oid: string, current: string, next: string, previousValidUntil: Date): Promise<SigningSecret | null> {
    const stored = await this.secrets
      .findOneAndUpdate(
        { _id: oid, secret: current },
        { $set: { secret: next, previous: current, previousValidUntil } },
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    return decode(stored as SigningSecret | null);
  }

  async deleteAllOf(oid: string): Promise<void> {
    await Promise.all([this.scoped.deleteMany(oid, {}), this.secrets.deleteOne({ _id: oid }).exec()]);
  }
}
