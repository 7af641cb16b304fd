import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { newId } from '../../common/ids/uuid.js';
import { seconds } from '../../common/units/durations.js';
import { IGNORE_CASE, isDuplicateKey } from '../../database/org-scoped.js';
import { uuid } from '../../database/uuid-codec.js';
import {
  ATTEMPT_SECONDS,
  ClientFailures,
  FactorFailures,
  LOGIN_MEMORY_SECONDS,
  LoginFailures,
} from './login-failures.schema.js';

const forgottenAt = (now: Date): Date => new Date(now.getTime() - seconds(LOGIN_MEMORY_SECONDS));

/** The remembered value of a counter; 0 once it is forgotten. */
const remembered = (field: string, now: Date): unknown => ({
  $cond: [{ $gt: [`$${field}`, forgottenAt(now)] }, { $ifNull: ['$count', 0] }, 0],
});

/** Running attempts, without those whose process must have died. */
const underWay = (now: Date): unknown => ({
  $filter: { input: { $ifNull: ['$checking', []] }, cond: { $gt: ['$$this.until', now] } },
});
const without = (id: string): unknown => ({
  $filter: { input: '$checking', cond: { $ne: ['$$this.id', id] } },
});

/** Result of an attempt; unknown when the password could not be checked, or is not enough. */
export type AttemptEnd = 'succeeded' | 'failed' | 'unknown';

/** Counts failed logins: by email, which locks, and by client address, which slows down. */
@Injectable()
export class LoginFailuresRepository {
  constructor(
    @InjectModel(LoginFailures.name) private readonly logins: Model<LoginFailures>,
    @InjectModel(ClientFailures.name) private readonly clients: Model<ClientFailures>,
  ) {}

  /**
   * Lets an attempt begin unless as many as may still fail are running. It is one atomic step and restarts the hour. On
   * a locked name the attempt counts.
   * @param most failures that lock
   * @returns failures and attempts while locked, so far; an hour without any starts again at 0
   */
  async take(
    email: string,
    id: string,
    { now, most }: { now: Date; most: number },
  ): Promise<{ count: number; isAdmitted: boolean }> {
    const attempt = { id, until: new Date(now.getTime() + seconds(ATTEMPT_SECONDS)) };
    const hasRoom = { $lt: [{ $add: ['$count', { $size: '$checking' }] }, most] };
    const doc = await this.change(email, now, {
      checking: { $cond: [hasRoom, { $concatArrays: ['$checking', [attempt]] }, '$checking'] },
      count: { $cond: [{ $gte: ['$count', most] }, { $add: ['$count', 1] }, '$count'] },
    });
    return { count: doc.count, isAdmitted: doc.checking.some((other) => other.id === id) };
  }

  /**
   * Ends an attempt. A failure counts and a success clears the count; other running attempts stay. A record of nothing
   * is deleted by whoever leaves it so.
   */
  async settle(email: string, id: string, { end, now }: { end: AttemptEnd; now: Date }): Promise<void> {
    const count = { failed: { $add: ['$count', 1] }, succeeded: 0, unknown: '$count' }[end];
    const left = await this.change(email, now, { checking: without(id), count });
    if (left.count === 0 && left.checking.length === 0)
      await this.logins.deleteOne({ email, count: 0, checking: [] }, { collation: IGNORE_CASE }).exec();
  }

  private async change(email: string, now: Date, then: Record<string, unknown>): Promise<LoginFailures> {
    const update: PipelineStage[] = [
      {
        $set: {
          _id: { $ifNull: ['$_id', uuid(newId())] },
          email: { $ifNull: ['$email', { $literal: email }] },
          count: remembered('attempted', now),
          attempted: now,
          checking: underWay(now),
        },
      },
      { $set: then } as PipelineStage,
    ];
    const options = { upsert: true, returnDocument: 'after', collation: IGNORE_CASE, updatePipeline: true } as const;
    return onceMore(() =>
      this.logins
        .findOneAndUpdate({ email }, update as never, options)
        .lean()
        .exec(),
    );
  }

  async clear(email: string): Promise<void> {
    await this.logins.deleteOne({ email }, { collation: IGNORE_CASE }).exec();
  }

  /** Counts a failure from an address in its current hour. */
  async countClient(address: string, now: Date): Promise<void> {
    const isCurrent = { $gt: ['$since', forgottenAt(now)] };
    const update = [
      {
        $set: {
          count: { $add: [remembered('since', now), 1] },
          since: { $cond: [isCurrent, '$since', now] },
        },
      },
    ] as never;
    await onceMore(() =>
      this.clients.updateOne({ _id: address }, update, { upsert: true, updatePipeline: true }).exec(),
    );
  }

  /** @returns failures of the address in its current hour and when that hour ends; null when there are none */
  async readClient(address: string, now: Date): Promise<{ count: number; ends: Date } | null> {
    const doc = await this.clients.findById(address).lean().exec();
    if (!doc) return null;
    const ends = new Date(doc.since.getTime() + seconds(LOGIN_MEMORY_SECONDS));
    return ends > now ? { count: doc.count, ends } : null;
  }
}

/** Counts wrong codes of second factors: by account, which locks, and by client address, together with failed logins. */
@Injectable()
export class FactorFailuresRepository extends LoginFailuresRepository {
  constructor(
    @InjectModel(FactorFailures.name) codes: Model<FactorFailures>,
    @InjectModel(ClientFailures.name) clients: Model<ClientFailures>,
  ) {
    super(codes, clients);
  }
}

/** Of two parallel first attempts one inserts; the other finds its document when it tries again. */
async function onceMore<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return upsert();
  }
}
