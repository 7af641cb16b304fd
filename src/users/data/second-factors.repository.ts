import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { findRows } from '../../database/read-rows.js';
import { uuid } from '../../database/uuid-codec.js';
import { sessionsBut } from './login-sessions.repository.js';
import type { SecondFactor, StoredPasskey, StoredTotp } from './second-factor.schema.js';
import { User } from './user.schema.js';

/** Most passkeys of an account: its page lists them all. */
export const MOST_PASSKEYS = 20;

/** Who changes the factors of an account: the password that was proved, and the session that goes on. */
export interface FactorChange {
  readonly userId: string;
  /** Hash of the password as it was read; a change of it meanwhile refuses this one. */
  readonly hash: string;
  /** Session of the request; null: the token belongs to none. */
  readonly sid: string | null;
  /** What the session is proved by from now on. */
  readonly factor: string;
  /** Digests of the recovery codes, which count where the account has none yet. */
  readonly recovery: readonly string[];
}

type Expression = Record<string, unknown>;
const FACTOR = '$secondFactor';
const isFirst = { $eq: [{ $type: FACTOR }, 'missing'] };
const mine = (sid: string | null): Expression => ({ $eq: ['$$this.sid', sid === null ? null : uuid(sid)] });
const going = { $ifNull: ['$sessions', []] };
const owned = (sid: string | null): Expression => ({ $filter: { input: going, cond: mine(sid) } });
const marked = (input: unknown, when: unknown, factor: string | null): Expression => ({
  $map: { input, in: { $cond: [when, { $mergeObjects: ['$$this', { factor: { $literal: factor } }] }, '$$this'] } },
});

/** Second factors of accounts. Each change is one atomic step, with the sessions that end by it. */
@Injectable()
export class SecondFactorsRepository {
  constructor(@InjectModel(User.name) private readonly users: Model<User>) {}

  /** @returns null for an account that has none, or is gone */
  async read(userId: string): Promise<SecondFactor | null> {
    const projection = { _id: 0, secondFactor: 1 };
    const [user] = await findRows(this.users, { id: userId }, { projection, limit: 1 });
    return user?.secondFactor ?? null;
  }

  /** @returns those of the accounts that have a second factor */
  async having(userIds: readonly string[]): Promise<Set<string>> {
    if (userIds.length === 0) return new Set();
    const filter = { id: { $in: userIds.map(uuid) }, secondFactor: { $exists: true } };
    const options = { projection: { _id: 0, id: 1 }, limit: userIds.length };
    const found = await findRows<User>(this.users, filter as never, options);
    return new Set(found.map(({ id }) => id));
  }

  /** @returns whether it was the account's first factor; null where it has one already, or another password */
  async addTotp(change: FactorChange, totp: StoredTotp): Promise<boolean | null> {
    return this.add(change, { 'secondFactor.totp': { $exists: false } }, { 'secondFactor.totp': { $literal: totp } });
  }

  /** As `addTotp`; null also for the passkey of an account, or beyond the most of them. */
  async addPasskey(change: FactorChange, passkey: StoredPasskey): Promise<boolean | null> {
    const added = { $literal: [{ ...passkey, id: uuid(passkey.id) }] };
    const passkeys = { $concatArrays: [{ $ifNull: ['$secondFactor.passkeys', []] }, added] };
    const hasRoom = { [`secondFactor.passkeys.${String(MOST_PASSKEYS - 1)}`]: { $exists: false } };
    try {
      return await this.add(change, hasRoom, { 'secondFactor.passkeys': passkeys });
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** The first factor ends the sessions that began without one. */
  private async add(change: FactorChange, free: Expression, set: Expression): Promise<boolean | null> {
    const { userId, hash, sid, factor, recovery } = change;
    const sessions = {
      $cond: [isFirst, marked(owned(sid), true, factor), marked(going, mine(sid), factor)],
    };
    const codes = { $ifNull: ['$secondFactor.recovery', { $literal: recovery }] };
    // `sessions` looks at whether there was a factor before.
    const update = [{ $set: { sessions } }, { $set: { ...set, 'secondFactor.recovery': codes } }];
    const filter = { id: userId, hashed_password: hash, ...free };
    const options = {
      projection: { _id: 0, secondFactor: 1 },
      updatePipeline: true,
      returnDocument: 'before',
    } as const;
    const before = await this.users
      .findOneAndUpdate(filter as never, update as never, options)
      .lean()
      .exec();
    return before === null ? null : (before as Partial<User>).secondFactor === undefined;
  }

  /** Takes the code of a half minute, once, whichever process is asked. @returns false for one that is over */
  async useTotp(userId: string, step: number, now: Date): Promise<boolean> {
    const filter = { id: userId, 'secondFactor.totp.lastStep': { $lt: step } };
    const update = { $set: { 'secondFactor.totp.lastStep': step, 'secondFactor.totp.lastUsed': now } };
    return (await this.users.updateOne(filter, update).exec()).matchedCount === 1;
  }

  /** @returns how many recovery codes are left; null for one that is none, or was used */
  async useRecovery(userId: string, digest: string): Promise<number | null> {
    const filter = { id: userId, 'secondFactor.recovery': digest };
    const options = { projection: { _id: 0, secondFactor: 1 }, returnDocument: 'after' } as const;
    const after = (await this.users
      .findOneAndUpdate(filter, { $pull: { 'secondFactor.recovery': digest } }, options)
      .lean()
      .exec()) as Partial<User> | null;
    return after?.secondFactor?.recovery.length ?? null;
  }

  /** Remembers a use of a passkey. @returns false when it was removed meanwhile */
  async usePasskey(userId: string, passkeyId: string, use: { counter: number; now: Date }): Promise<boolean> {
    const filter = { id: userId, 'secondFactor.passkeys.id': passkeyId };
    const update = {
      $set: { 'secondFactor.passkeys.$.lastUsed': use.now },
      $max: { 'secondFactor.passkeys.$.counter': use.counter },
    };
    return (await this.users.updateOne(filter, update).exec()).matchedCount === 1;
  }

  /** Replaces the recovery codes. @returns false for an account without a second factor */
  async renewRecovery(userId: string, digests: readonly string[]): Promise<boolean> {
    const filter = { id: userId, secondFactor: { $exists: true } };
    const update = { $set: { 'secondFactor.recovery': [...digests] } };
    return (await this.users.updateOne(filter, update).exec()).matchedCount === 1;
  }

  /** Ends all sessions but `sid`, which counts as begun without a factor when none is left. @returns whether it was there */
  async removeTotp(userId: string, sid: string | null): Promise<boolean> {
    return this.remove({ id: userId, 'secondFactor.totp': { $exists: true } }, sid, {
      'secondFactor.totp': '$$REMOVE',
    });
  }

  /** As `removeTotp`. */
  async removePasskey(userId: string, passkeyId: string, sid: string | null): Promise<boolean> {
    const others = {
      $filter: { input: '$secondFactor.passkeys', cond: { $ne: ['$$this.id', uuid(passkeyId)] } },
    };
    return this.remove({ id: userId, 'secondFactor.passkeys.id': passkeyId }, sid, { 'secondFactor.passkeys': others });
  }

  private async remove(filter: Expression, sid: string | null, set: Expression): Promise<boolean> {
    const hasTotp = { $ne: [{ $type: '$secondFactor.totp' }, 'missing'] };
    const hasPasskey = { $gt: [{ $size: { $ifNull: ['$secondFactor.passkeys', []] } }, 0] };
    const update = [
      { $set: { ...set, sessions: owned(sid) } },
      { $set: { secondFactor: { $cond: [{ $or: [hasTotp, hasPasskey] }, FACTOR, '$$REMOVE'] } } },
      { $set: { sessions: marked('$sessions', isFirst, null) } },
    ];
    return (
      (await this.users.updateOne(filter as never, update as never, { updatePipeline: true }).exec()).matchedCount === 1
    );
  }

  /** Removes all of an account's factors, and ends all its sessions. @returns false where there was none */
  async removeAll(userId: string): Promise<boolean> {
    const update = { ...sessionsBut(null) };
    const filter = { id: userId, secondFactor: { $exists: true } };
    const unset = { ...(update['$unset'] as object), secondFactor: 1 };
    return (await this.users.updateOne(filter, { ...update, $unset: unset }).exec()).matchedCount === 1;
  }
}
