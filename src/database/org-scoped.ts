import type {
  AnyBulkWriteOperation,
  Model,
  PipelineStage,
  ProjectionType,
  QueryFilter,
  SortOrder,
  UpdateQuery,
  UpdateWithAggregationPipeline,
} from 'mongoose';
import { countMatches, type CountOptions } from './counts/count-matches.js';
import { countTotal } from './counts/count-total.js';
import { namesMissingIndex } from './missing-index.js';
import { aggregateRows, findRows, type RowOptions } from './read-rows.js';
import type { Tx } from './unit-of-work.js';
import { decode, uuid } from './uuid-codec.js';

/** Collation that compares as the contract's case- and accent-insensitive filters do. */
export const IGNORE_CASE_AND_ACCENTS = { locale: 'en', strength: 1 } as const;
/** Collation for emails: it ignores case, not accents. */
export const IGNORE_CASE = { locale: 'en', strength: 2 } as const;

export type Collation = typeof IGNORE_CASE_AND_ACCENTS | typeof IGNORE_CASE;

export interface FindOptions<T> extends RowOptions<T> {
  readonly collation?: Collation;
}

export interface WriteOptions {
  readonly tx?: Tx;
  readonly upsert?: boolean;
}

export interface WriteResult {
  readonly matched: number;
  readonly modified: number;
}

type Scoped<T> = Omit<QueryFilter<T>, 'oid'>;
type Update<T> = UpdateQuery<T> | UpdateWithAggregationPipeline;

/** Access to one collection's documents of one org. Every method takes the org, so it cannot be left out. */
export class OrgScoped<T extends { oid: string }> {
  constructor(private readonly model: Model<T>) {}

  private filter(oid: string, filter: Scoped<T>): QueryFilter<T> {
    return { ...filter, oid: uuid(oid) } as unknown as QueryFilter<T>;
  }

  async findOne(
    oid: string,
    filter: Scoped<T>,
    options: { projection?: ProjectionType<T>; tx?: Tx; sort?: Record<string, SortOrder>; collation?: Collation } = {},
  ): Promise<T | null> {
    const [found] = await findRows(this.model, this.filter(oid, filter), { ...options, limit: 1 });
    return found ?? null;
  }

  async find(oid: string, filter: Scoped<T>, options: FindOptions<T>): Promise<T[]> {
    return findRows(this.model, this.filter(oid, filter), options);
  }

  /** Streams documents one batch at a time. Leaving the loop closes the stream. */
  async *stream(
    oid: string,
    filter: Scoped<T>,
    options: {
      sort?: Record<string, SortOrder>;
      projection?: ProjectionType<T>;
      limit?: number;
      batchSize?: number;
      hint?: FindOptions<T>['hint'];
    } = {},
  ): AsyncGenerator<T> {
    const { projection, batchSize = 500, hint, ...rest } = options;
    let read = 0;
    try {
      const query = this.model.find(this.filter(oid, filter), projection ?? null, {
        ...rest,
        ...(hint ? { hint } : {}),
      });
      for await (const doc of query.lean().cursor({ batchSize })) {
        read += 1;
        yield decode(doc as T);
      }
    } catch (error) {
      if (read > 0 || !hint || !namesMissingIndex(error)) throw error;
      yield* this.stream(oid, filter, { ...options, hint: undefined });
    }
  }

  async count(oid: string, filter: Scoped<T>, options: CountOptions & { readonly tx?: Tx } = {}): Promise<number> {
    const { tx, ...rest } = options;
    if (!tx) return countMatches(this.model, this.filter(oid, filter), rest);
    return this.model.countDocuments(this.filter(oid, filter), { ...rest, session: tx } as object).exec();
  }

  /** Counts the matches of a list; see `countTotal`. */
  async total(oid: string, filter: Scoped<T>, options: CountOptions): Promise<number> {
    return countTotal(this.model, this.filter(oid, filter), options);
  }

  async exists(oid: string, filter: Scoped<T>, tx?: Tx): Promise<boolean> {
    return (await this.findOne(oid, filter, { projection: { _id: 1 } as ProjectionType<T>, tx })) !== null;
  }

  async insert(oid: string, doc: Omit<T, 'oid'>, options: { tx?: Tx } = {}): Promise<void> {
    await this.model.insertMany([{ ...doc, oid } as unknown as never], { session: options.tx });
  }

  async updateOne(oid: string, filter: Scoped<T>, update: Update<T>, options: WriteOptions = {}): Promise<WriteResult> {
    const { tx, upsert } = options;
    const done = await this.model
      .updateOne(this.filter(oid, filter), update as UpdateQuery<T>, {
        session: tx,
        upsert,
        updatePipeline: Array.isArray(update),
      })
      .exec();
    return { matched: done.matchedCount + (done.upsertedCount ?? 0), modified: done.modifiedCount };
  }

  async updateMany(
    oid: string,
    filter: Scoped<T>,
    update: Update<T>,
    options: { tx?: Tx; collation?: Collation } = {},
  ): Promise<WriteResult> {
    const { tx, collation } = options;
    const done = await this.model
      .updateMany(this.filter(oid, filter), update as UpdateQuery<T>, {
        session: tx,
        collation,
        updatePipeline: Array.isArray(update),
      })
      .exec();
    return { matched: done.matchedCount, modified: done.modifiedCount };
  }

  /** @returns the document before or after the change, or null when none matched */
  async findOneAndUpdate(
    oid: string,
    filter: Scoped<T>,
    update: Update<T>,
    options: WriteOptions & { returns?: 'before' | 'after'; projection?: ProjectionType<T> } = {},
  ): Promise<T | null> {
    const { tx, upsert, returns = 'after', projection } = options;
    const query = this.model.findOneAndUpdate(this.filter(oid, filter), update as UpdateQuery<T>, {
      session: tx,
      upsert,
      projection,
      returnDocument: returns,
      updatePipeline: Array.isArray(update),
    });
    return decode((await query.lean().exec()) as T | null);
  }

  /** @returns the document that was deleted, or null */
  async findOneAndDelete(oid: string, filter: Scoped<T>, tx?: Tx): Promise<T | null> {
    return decode(
      (await this.model.findOneAndDelete(this.filter(oid, filter), { session: tx }).lean().exec()) as T | null,
    );
  }

  /** @returns the number of deleted documents */
  async deleteMany(oid: string, filter: Scoped<T>, tx?: Tx): Promise<number> {
    return (await this.model.deleteMany(this.filter(oid, filter), { session: tx }).exec()).deletedCount;
  }

  async aggregate<R>(
    oid: string,
    stages: PipelineStage[],
    options: { collation?: Collation; hint?: string | Record<string, 1 | -1 | 'hashed' | 'text'>; tx?: Tx } = {},
  ): Promise<R[]> {
    return aggregateRows<R, T>(this.model, [{ $match: { oid: uuid(oid) } }, ...stages], options);
  }

  /** Writes without an order. Every operation must carry the org itself. Duplicate keys are reported, not thrown. */
  async bulkWrite(operations: AnyBulkWriteOperation<T>[], tx?: Tx): Promise<{ inserted: number; modified: number }> {
    if (operations.length === 0) return { inserted: 0, modified: 0 };
    try {
      const done = await this.model.bulkWrite(operations as Parameters<Model<T>['bulkWrite']>[0], {
        ordered: false,
        session: tx,
      });
      return { inserted: done.insertedCount + done.upsertedCount, modified: done.modifiedCount };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const { result } = error as unknown as { result?: { insertedCount: number; modifiedCount: number } };
      return { inserted: result?.insertedCount ?? 0, modified: result?.modifiedCount ?? 0 };
    }
  }
}

/** Whether a write failed only because a unique index already has the key. */
export function isDuplicateKey(error: unknown): error is Error & { keyPattern?: Record<string, number> } {
  return typeof error === 'object' && error !== null && (error as { code?: number }).code === 11000;
}
