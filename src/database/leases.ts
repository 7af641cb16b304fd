import { Logger } from '@nestjs/common';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { Clock } from '../common/clock/clock.js';
import { outsideRequests } from '../common/http/request-scope.js';
import { newId } from '../common/ids/uuid.js';
import { isDuplicateKey } from './org-scoped.js';
import type { Tx } from './unit-of-work.js';
import { decode } from './uuid-codec.js';

/** The end of a lease that nobody holds. */
export const FREE_LEASE = new Date(0);

/**
 * Where the records of a collection keep their lease, and how long a lease is. The paths are stored, so they must not
 * change.
 */
export interface LeaseTerms {
  /** Path of the lease's end. Until then the record belongs to the claim. */
  readonly until: string;
  /**
   * Path of the claim's id. Without it the end that the holder wrote proves the claim, since every later claim ends
   * later.
   */
  readonly holder?: string;
  /** Path of the mark that somebody waits for a record that is held. */
  readonly wanted?: string;
  /** Path of the moment from which a record is due. Without it a record is due when its lease is over. */
  readonly due?: string;
  /** Length of a lease. A process that dies holds its records this long. */
  readonly lengthMs: number;
  /** Time between two renewals. Several fit into a lease, so that one late renewal does no harm. */
  readonly beatMs: number;
}

/** This process's hold of one record. */
export class Lease {
  /** Ends that may be stored for this lease. There are several while it is not known whether a renewal was written. */
  private stored: readonly Date[];
  private readonly loss = new AbortController();
  private readonly wish = new AbortController();

  constructor(
    readonly recordId: string,
    /** Id of the claim; records that were claimed together share it. */
    readonly holder: string,
    readonly claimedAt: Date,
    until: Date,
  ) {
    this.stored = [until];
  }

  /** Aborts when somebody else has the record. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** Aborts when somebody else waits for the record, or has it. */
  get wanted(): AbortSignal {
    return this.wish.signal;
  }

  /** Whether somebody else has the record. The check makes no signal and so costs nothing. */
  get isLost(): boolean {
    return this.stored.length === 0;
  }

  get until(): Date {
    return this.stored[0] ?? FREE_LEASE;
  }

  get ends(): readonly Date[] {
    return this.stored;
  }

  /** The same claim on another record. */
  on(recordId: string): Lease {
    return new Lease(recordId, this.holder, this.claimedAt, this.until);
  }

  /**
   * Notes that a renewal was sent. The renewal of a lease that is already over proves nothing until it is known to be
   * written.
   */
  renewing(until: Date, now: Date): void {
    if (now < this.until) this.stored = [...this.stored, until];
  }

  renewed(until: Date): void {
    this.stored = [until];
  }

  want(): void {
    this.wish.abort();
  }

  lose(): void {
    this.stored = [];
    this.want();
    this.loss.abort(new Error(`${this.recordId} was taken over`));
  }
}

/** A claimed record, in the state that the claim left it or found it in. */
export interface Held<T> {
  readonly record: T;
  readonly lease: Lease;
}

interface Claim {
  /** What the record has to match, besides being due and free. */
  readonly where?: object;
  /** Further changes, in the form of an update pipeline. */
  readonly set?: Record<string, unknown>;
  /** The claim makes the record when it is not there. */
  readonly orInsert?: boolean;
  /** The claim returns the record as it was, not as the claim left it. */
  readonly asBefore?: boolean;
}

/**
 * The right to work on records, among any number of processes. A process claims a record for a time and renews the
 * claim while it uses the record. The filter of every write that needs the right proves it. A holder that was away for
 * longer than its lease has no proof any more.
 */
export class Leases<T extends { _id: string }> {
  private readonly kept = new Map<string, Lease>();
  private heartbeat: NodeJS.Timeout | undefined;
  private isBeating = false;
  private readonly logger = new Logger('leases');

  constructor(
    private readonly model: Model<T>,
    private readonly terms: LeaseTerms,
    private readonly clock: Clock,
  ) {}

  /** Begins a lease with a write of the caller's. That write has to store what `fieldsOf` says. */
  begin(recordId: string): Lease {
    const now = this.clock.now();
    return new Lease(recordId, newId(), now, this.endFrom(now));
  }

  fieldsOf({ until, holder }: Lease): Record<string, unknown> {
    return this.fields(until, holder);
  }

  /** The fields of a record that nobody holds. */
  get freed(): Record<string, unknown> {
    return this.fields(FREE_LEASE, null);
  }

  /** Claims this record, due or not. @returns null when somebody holds it, or it is not there */
  claimOne(recordId: string, claim: Claim = {}): Promise<Held<T> | null> {
    return this.claim(
      { [this.terms.until]: { $not: { $gt: this.clock.now() } }, ...claim.where, _id: recordId },
      claim,
    );
  }

  /** Claims the record that has been due longest. */
  claimNext(claim: Claim = {}): Promise<Held<T> | null> {
    return this.claim({ ...this.dueNow(), ...claim.where }, claim);
  }

  /**
   * Claims several due records that name the holder, the longest due first.
   * @returns those that no other process claimed at the same time; `found`: how many were due, up to `limit`
   */
  async claimDue(limit: number, where: object = {}): Promise<{ held: Held<T>[]; found: number }> {
    const due = { ...this.dueNow(), ...where } as QueryFilter<T>;
    const order = this.order();
    const candidates = (await this.model.find(due, { _id: 1 }).sort(order).limit(limit).lean().exec()) as T[];
    if (candidates.length === 0) return { held: [], found: 0 };
    const among = { _id: { $in: candidates.map(({ _id }) => _id) } } as QueryFilter<T>;
    const first = this.begin('');
    const claimed = { $set: this.fieldsOf(first) } as UpdateQuery<T>;
    await this.model.updateMany({ ...due, ...among }, claimed).exec();
    const won = { ...among, [this.terms.holder ?? '']: first.holder } as QueryFilter<T>;
    const records = decode((await this.model.find(won).sort(order).limit(limit).lean().exec()) as T[]);
    return { held: records.map((record) => ({ record, lease: first.on(record._id) })), found: candidates.length };
  }

  /**
   * Matches the records of these leases as long as they are ours. It goes into the filter of writes that only a holder
   * may do.
   */
  proof(...leases: readonly Lease[]): QueryFilter<T> {
    const { until, holder } = this.terms;
    const ids = { $in: leases.map(({ recordId }) => recordId) };
    if (holder) return { _id: ids, [holder]: { $in: [...new Set(leases.map((one) => one.holder))] } } as QueryFilter<T>;
    return { $or: leases.map(({ recordId, ends }) => ({ _id: recordId, [until]: { $in: ends } })) } as QueryFilter<T>;
  }

  /** Renews the lease once. @returns false when somebody else has the record */
  async renew(lease: Lease, tx?: Tx): Promise<boolean> {
    await this.renewAll([lease], tx);
    return !lease.isLost;
  }

  /** Keeps renewing the lease from now on, until it is let go or lost. */
  keep(lease: Lease): void {
    // A record that this process claims again was lost before.
    const before = this.kept.get(lease.recordId);
    if (before !== lease) before?.lose();
    this.kept.set(lease.recordId, lease);
    this.heartbeat ??= outsideRequests(() => setInterval(() => this.beat(), this.terms.beatMs).unref());
  }

  /** Asks the holder of the record to end. The holder learns of it with its next renewal. */
  async ask(recordId: string): Promise<void> {
    const { wanted = '' } = this.terms;
    await this.model.updateOne({ _id: recordId }, { $set: { [wanted]: true } } as UpdateQuery<T>).exec();
  }

  letGo(lease: Lease): void {
    if (this.kept.get(lease.recordId) === lease) this.kept.delete(lease.recordId);
    if (this.kept.size > 0) return;
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }

  /** Ends leases of ours, so that others may claim the records: now, or from `dueAt` on. */
  async giveBack(
    leases: readonly Lease[],
    dueAt?: Date,
    update: Pick<UpdateQuery<T>, '$set' | '$inc'> = {},
  ): Promise<void> {
    if (leases.length === 0) return;
    const { due, until } = this.terms;
    const $set = { ...update.$set, ...this.freed, ...(dueAt ? { [due ?? until]: dueAt } : {}) };
    await this.model.updateMany(this.proof(...leases), { ...update, $set } as UpdateQuery<T>).exec();
  }

  private endFrom(now: Date): Date {
    return new Date(now.getTime() + this.terms.lengthMs);
  }

  private fields(until: Date, holder: string | null): Record<string, unknown> {
    const { holder: by, wanted } = this.terms;
    return { [this.terms.until]: until, ...(by ? { [by]: holder } : {}), ...(wanted ? { [wanted]: false } : {}) };
  }

  private dueNow(): Record<string, object> {
    const passed = { $lte: this.clock.now() };
    const { due, until } = this.terms;
    return { ...(due ? { [due]: passed } : {}), [until]: passed };
  }

  private order(): Record<string, 1> {
    return { [this.terms.due ?? this.terms.until]: 1 };
  }

  private async claim(filter: object, { set, asBefore = false, orInsert = false }: Claim): Promise<Held<T> | null> {
    const begun = this.begin('');
    const found = await this.model
      .findOneAndUpdate(filter as QueryFilter<T>, [{ $set: { ...set, ...this.fieldsOf(begun) } }] as never, {
        sort: this.order(),
        returnDocument: asBefore ? 'before' : 'after',
        updatePipeline: true,
        upsert: orInsert,
      })
      .lean()
      .exec()
      .catch((error: unknown) => {
        // The record is there, and not free.
        if (orInsert && isDuplicateKey(error)) return null;
        throw error;
      });
    const record = decode(found as T | null);
    return record && { record, lease: begun.on(record._id) };
  }

  private beat(): void {
    if (this.isBeating) return;
    this.isBeating = true;
    const kept = [...this.kept.values()];
    this.renewAll(kept)
      .then(() => this.hear(kept))
      .catch((error: unknown) => {
        this.logger.warn({ event: 'heartbeat_failed', of: this.model.collection.name, err: error });
      })
      .finally(() => (this.isBeating = false));
  }

  private async renewAll(leases: readonly Lease[], tx?: Tx): Promise<void> {
    const together = this.terms.holder ? [leases] : leases.map((lease) => [lease]);
    await Promise.all(together.map((some) => this.renewTogether(some, tx)));
  }

  private async renewTogether(leases: readonly Lease[], tx?: Tx): Promise<void> {
    const now = this.clock.now();
    const until = this.endFrom(now);
    const proof = this.proof(...leases);
    for (const lease of leases) lease.renewing(until, now);
    const update = { $set: { [this.terms.until]: until } } as UpdateQuery<T>;
    const { matchedCount } = await this.model.updateMany(proof, update, { session: tx }).exec();
    const ours = matchedCount < leases.length ? await this.stillOurs(leases, {}, tx) : null;
    for (const lease of leases) {
      if (!ours || ours.has(lease.recordId)) lease.renewed(until);
      else this.lose(lease);
    }
  }

  private async hear(leases: readonly Lease[]): Promise<void> {
    if (!this.terms.wanted) return;
    const asked = await this.stillOurs(leases, { [this.terms.wanted]: true });
    for (const lease of leases) if (asked.has(lease.recordId)) lease.want();
  }

  /** Ids of the records that nobody else has, and that match `where`. */
  private async stillOurs(leases: readonly Lease[], where: object, tx?: Tx): Promise<Set<string>> {
    const ours = { ...this.proof(...leases), ...where } as QueryFilter<T>;
    const query = this.model.find(ours, { _id: 1 }, { session: tx }).limit(leases.length);
    return new Set(decode((await query.lean().exec()) as T[]).map(({ _id }) => _id));
  }

  private lose(lease: Lease): void {
    lease.lose();
    this.letGo(lease);
  }
}
