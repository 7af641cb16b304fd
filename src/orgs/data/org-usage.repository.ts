import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { int64 } from '../../database/int64.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { Org, type QuotaUpdate } from './org.schema.js';

export const BYTE_COUNTERS = [
  'bytesStoredCrawls',
  'bytesStoredUploads',
  'bytesStoredProfiles',
  'bytesStoredSeedFiles',
  'bytesStoredThumbnails',
  'bytesStoredDedupeIndexes',
] as const satisfies readonly (keyof Org)[];
export type ByteCounter = (typeof BYTE_COUNTERS)[number];

/** Amounts to add, by the dotted field name of the counter, e.g. `usage.2026-11`. */
export type Increments = Readonly<Record<string, number>>;

/**
 * Changes an org's counters of bytes and seconds, and its quotas. Missing and null values count as 0. All numbers are
 * stored as int64.
 */
@Injectable()
export class OrgUsageRepository {
  constructor(@InjectModel(Org.name) private readonly orgs: Model<Org>) {}

  /** Adds to several counters in one atomic update. */
  async add(oid: string, increments: Increments, tx?: Tx): Promise<void> {
    const sums = Object.entries(increments).map(([field, by]) => [field, sumOf(field, by)]);
    await this.set(oid, Object.fromEntries(sums) as Record<string, unknown>, tx);
  }

  /** Adds to a counter of bytes and to the total, which the month remembers, in one atomic update. */
  async addBytes(
    oid: string,
    { counter, bytes, month }: { counter: ByteCounter; bytes: number; month: string },
    tx?: Tx,
  ): Promise<void> {
    const total = sumOf('bytesStored', bytes);
    const values = { bytesStored: total, [counter]: sumOf(counter, bytes), [`bytesStoredByMonth.${month}`]: total };
    await this.set(oid, values, tx);
  }

  private async set(oid: string, values: Readonly<Record<string, unknown>>, tx?: Tx): Promise<void> {
    const options = { session: tx, updatePipeline: true };
    await this.orgs.updateOne({ _id: oid }, [{ $set: values }] as never, options).exec();
  }

  /**
   * Replaces the byte counters by recomputed sums, and the total by their sum.
   * @param month remembers the new total
   * @param expected the total when the sums were made; when absent, any total is replaced
   * @returns false when the total has changed since, or the org is gone
   */
  async setBytes(
    oid: string,
    sums: Readonly<Record<ByteCounter, number>>,
    { month, expected }: { month: string; expected: number | undefined },
  ): Promise<boolean> {
    const total = BYTE_COUNTERS.reduce((sum, counter) => sum + sums[counter], 0);
    const values = BYTE_COUNTERS.map((counter) => [counter, int64(sums[counter])] as const);
    const totals = { bytesStored: int64(total), [`bytesStoredByMonth.${month}`]: int64(total) };
    const update = [{ $set: { ...Object.fromEntries(values), ...totals } }];
    const filter = {
      _id: oid,
      ...(expected === undefined ? {} : { $expr: { $eq: [{ $ifNull: ['$bytesStored', 0] }, expected] } }),
    };
    return (await this.orgs.updateOne(filter, update as never, { updatePipeline: true }).exec()).matchedCount > 0;
  }

  /** Reads the fields that the quota rules take. */
  async findPurses(oid: string, tx?: Tx): Promise<Org | null> {
    const fields = {
      quotas: 1,
      bytesStored: 1,
      readOnly: 1,
      monthlyExecSeconds: 1,
      extraExecSecondsAvailable: 1,
      giftedExecSecondsAvailable: 1,
    };
    return decode((await this.orgs.findOne({ _id: oid }, fields, { session: tx }).lean().exec()) as Org | null);
  }

  /** Stores quotas and balances, and appends the record of the change. */
  async setQuotas(
    oid: string,
    change: Pick<Org, 'quotas' | 'extraExecSecondsAvailable' | 'giftedExecSecondsAvailable'> & { entry: QuotaUpdate },
    tx: Tx,
  ): Promise<void> {
    const long = (value: number | null | undefined) => int64(value ?? 0);
    const { modified, update, subEventId } = change.entry;
    const entry = { modified, update: mapValues(update, long), subEventId };
    const stages = [
      {
        $set: {
          quotas: { $mergeObjects: ['$quotas', mapValues(change.quotas ?? {}, long)] },
          extraExecSecondsAvailable: long(change.extraExecSecondsAvailable),
          giftedExecSecondsAvailable: long(change.giftedExecSecondsAvailable),
          quotaUpdates: { $concatArrays: [{ $ifNull: ['$quotaUpdates', []] }, [{ $literal: entry }]] },
        },
      },
    ];
    await this.orgs.updateOne({ _id: oid }, stages as never, { session: tx, updatePipeline: true }).exec();
  }

  async setLastCrawlFinished(oid: string, finished: Date | null, tx?: Tx): Promise<void> {
    await this.orgs.updateOne({ _id: oid }, { $set: { lastCrawlFinished: finished } }, { session: tx }).exec();
  }

  /** Moves the date forward only. Of two crawls that finish at once, the later one counts. */
  async advanceLastCrawlFinished(oid: string, finished: Date, tx?: Tx): Promise<void> {
    await this.orgs.updateOne({ _id: oid }, { $max: { lastCrawlFinished: finished } }, { session: tx }).exec();
  }
}

/** A counter with an amount added, for an update. */
const sumOf = (field: string, by: number) => ({ $add: [{ $toLong: { $ifNull: [`$${field}`, 0] } }, int64(by)] });

const mapValues = <V, R>(object: { readonly [key: string]: V } | object, map: (value: V) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value as V)]));
