import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { newId } from '../../common/ids/uuid.js';
import { seconds } from '../../common/units/durations.js';
import { IGNORE_CASE, isDuplicateKey } from '../../database/org-scoped.js';
import { uuid } from '../../database/uuid-codec.js';
import { ClientFailures, LOGIN_MEMORY_SECONDS, LoginFailures } from './login-failures.schema.js';

const countSince = (field: string, now: Date): unknown => {
  const forgotten = new Date(now.getTime() - seconds(LOGIN_MEMORY_SECONDS));
  return { $cond: [{ $gt: [`$${field}`, forgotten] }, { $add: [{ $ifNull: ['$count', 0] }, 1] }, 1] };
};

/** Counters of failed logins: by email, which lock, and by client address, which slow down. */
@Injectable()
export class LoginFailuresRepository {
  constructor(
    @InjectModel(LoginFailures.name) private readonly logins: Model<LoginFailures>,
    @InjectModel(ClientFailures.name) private readonly clients: Model<ClientFailures>,
  ) {}

  /**
   * Counts an attempt in one atomic step and restarts the hour. @returns the attempts so far, this one included; an
   * hour without any starts again at 1
   */
  async count(email: string, now: Date): Promise<number> {
    const update: PipelineStage[] = [
      {
        $set: {
          _id: { $ifNull: ['$_id', uuid(newId())] },
          email: { $ifNull: ['$email', { $literal: email }] },
          count: countSince('attempted', now),
          attempted: now,
        },
      },
    ];
    const attempt = async (): Promise<number> => {
      const options = { upsert: true, returnDocument: 'after', collation: IGNORE_CASE, updatePipeline: true } as const;
      const doc = await this.logins
        .findOneAndUpdate({ email }, update as never, options)
        .lean()
        .exec();
      return doc.count;
    };
    try {
      return await attempt();
    } catch (error) {
      // Two first attempts met: the other one inserted, so this one now finds its document.
      if (!isDuplicateKey(error)) throw error;
      return attempt();
    }
  }

  /** Failures within the hour, without counting one. */
  async read(email: string, now: Date): Promise<number> {
    const attempted = { $gt: new Date(now.getTime() - seconds(LOGIN_MEMORY_SECONDS)) };
    const doc = await this.logins.findOne({ email, attempted }, { count: 1 }, { collation: IGNORE_CASE }).lean().exec();
    return doc?.count ?? 0;
  }

  async clear(email: string): Promise<void> {
    await this.logins.deleteOne({ email }, { collation: IGNORE_CASE }).exec();
  }

  /** Counts a failure from an address in its current hour. */
  async countClient(address: string, now: Date): Promise<void> {
    const since = new Date(now.getTime() - seconds(LOGIN_MEMORY_SECONDS));
    const isCurrent = { $gt: ['$since', since] };
    const update = [
      { $set: { count: countSince('since', now), since: { $cond: [isCurrent, '$since', now] } } },
    ] as never;
    const attempt = () =>
      this.clients.updateOne({ _id: address }, update, { upsert: true, updatePipeline: true }).exec();
    try {
      await attempt();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await attempt();
    }
  }

  /** @returns failures of the address in its current hour and when that hour ends; null when there are none */
  async readClient(address: string, now: Date): Promise<{ count: number; ends: Date } | null> {
    const doc = await this.clients.findById(address).lean().exec();
    if (!doc) return null;
    const ends = new Date(doc.since.getTime() + seconds(LOGIN_MEMORY_SECONDS));
    return ends > now ? { count: doc.count, ends } : null;
  }
}
