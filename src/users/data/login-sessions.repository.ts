import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import { findRows } from '../../database/read-rows.js';
import { uuid } from '../../database/uuid-codec.js';
import type { LoginSession } from './login-session.schema.js';
import { User } from './user.schema.js';

/** Most sessions of an account. Tools that log in at each run leave one behind each time. */
const MOST = 200;
/** Most of one kind of device: a script that logs in every minute ends its own old sessions, nobody else's. */
const MOST_OF_ONE_DEVICE = 150;

const LAST_USED_FIRST = { lastUsed: -1, created: -1 } as const;

/**
 * Log-ins that are going on. They lie in the account, which each request reads anyway, so that an ended one is refused
 * at once by every process.
 */
@Injectable()
export class LoginSessionsRepository {
  constructor(@InjectModel(User.name) private readonly users: Model<User>) {}

  /**
   * Begins a session, and forgets those that are over. Beyond what an account may have, the session that was not used
   * for longest ends.
   * @param hash the password's hash that was proved; null where none was
   * @returns false for an account that is gone, or that has another password, or its first second factor, meanwhile
   */
  async begin(userId: string, session: LoginSession, hash: string | null): Promise<boolean> {
    // A token that is renewed keeps what it was.
    const isBare = !session.factor && session.how !== 'token';
    const filter = {
      id: userId,
      ...(hash === null ? {} : { hashed_password: hash }),
      ...(isBare ? { secondFactor: { $exists: false } } : {}),
    };
    const update = [{ $set: { sessions: joinedBy(session) } }] as never;
    return (await this.users.updateOne(filter, update, { updatePipeline: true }).exec()).matchedCount === 1;
  }

  /** Sessions of an account in no particular order, at most 200, also those that are over. */
  async list(userId: string): Promise<LoginSession[]> {
    const [user] = await findRows(this.users, { id: userId }, { projection: { _id: 0, sessions: 1 }, limit: 1 });
    return user?.sessions ?? [];
  }

  /** @returns false for an account without such a session */
  async end(userId: string, sid: string): Promise<boolean> {
    const update = { $pull: { sessions: { sid } } };
    return (await this.users.updateOne({ id: userId, 'sessions.sid': sid }, update).exec()).modifiedCount === 1;
  }

  /** @param kept the session that goes on; null: none does */
  async endOthers(userId: string, kept: string | null): Promise<void> {
    await this.users.updateOne({ id: userId }, sessionsBut(kept)).exec();
  }

  /** Ends the sessions of all accounts but one session of one account. */
  async endOfEverybody({ userId, sid }: { userId: string; sid: string | null }): Promise<void> {
    await this.users.updateMany({ id: { $ne: userId }, sessions: { $exists: true } }, sessionsBut(null)).exec();
    await this.endOthers(userId, sid);
  }

  /**
   * Ends the sessions of an account that were begun at a provider.
   * @param providerSid the one session there that is meant; null: all of them
   */
  async endOfProvider(userId: string, how: string, providerSid: string | null): Promise<void> {
    const meant = { how, ...(providerSid === null ? {} : { providerSid }) };
    await this.users.updateOne({ id: userId }, { $pull: { sessions: meant } }).exec();
  }

  /** Remembers a use, unless another request has. An ended session stays ended. */
  async touch(userId: string, { sid, lastUsed: seen }: LoginSession, use: { now: Date; ip: string }): Promise<void> {
    const filter = { id: userId, sessions: { $elemMatch: { sid, lastUsed: seen } } };
    const update = { $set: { 'sessions.$.lastUsed': use.now, ...(use.ip ? { 'sessions.$.ip': use.ip } : {}) } };
    await this.users.updateOne(filter, update).exec();
  }
}

/** An update that ends all sessions of an account but one, or all of them. */
export const sessionsBut = (kept: string | null): UpdateQuery<User> =>
  kept === null ? { $unset: { sessions: 1 } } : { $pull: { sessions: { sid: { $ne: kept } } } };

/** The account's sessions with another one, as an expression: one atomic step, however many log in at once. */
function joinedBy(session: LoginSession): Record<string, unknown> {
  // What clients sent is no part of the expression.
  const added = { $literal: { ...session, sid: uuid(session.sid) } };
  const isLikeIt = { $eq: ['$$this.device', { $literal: session.device }] };
  const going = {
    $filter: { input: { $ifNull: ['$sessions', []] }, cond: { $gt: ['$$this.until', session.created] } },
  };
  const alike = { $slice: [{ $filter: { input: '$$going', cond: isLikeIt } }, MOST_OF_ONE_DEVICE - 1] };
  const unlike = { $filter: { input: '$$going', cond: { $not: isLikeIt } } };
  const both = { $sortArray: { input: { $concatArrays: [alike, unlike] }, sortBy: LAST_USED_FIRST } };
  return {
    $let: {
      vars: { going: { $sortArray: { input: going, sortBy: LAST_USED_FIRST } } },
      in: { $concatArrays: [[added], { $slice: [both, MOST - 1] }] },
    },
  };
}
