import mongoose, {
  type Model,
  type PipelineStage,
  type ProjectionType,
  type QueryFilter,
  type SortOrder,
} from 'mongoose';
import { rowOf } from './bson-rows.js';
import { alongHint } from './missing-index.js';
import { rawCollection, type RawCollection } from './raw-collection.js';
import type { Tx } from './unit-of-work.js';

const { MongoError, MongoServerSelectionError } = mongoose.mongo;
type Document = mongoose.mongo.Document;

/** Which rows are read, how, and by which index. */
export interface RowOptions<T> {
  /** Most rows; 0 means no limit. */
  readonly limit: number;
  readonly skip?: number;
  /** Documents in one answer of the database, where its own 101 for the first answer are too few. */
  readonly batchSize?: number;
  readonly sort?: Record<string, SortOrder> | undefined;
  readonly projection?: ProjectionType<T> | undefined;
  readonly collation?: { readonly locale: string; readonly strength: number } | undefined;
  readonly hint?: string | Record<string, 1 | -1 | 'hashed' | 'text'> | undefined;
  readonly tx?: Tx | undefined;
}

interface AggregateOptions<T> extends Pick<RowOptions<T>, 'collation' | 'hint' | 'tx'> {
  /** Most rows that the pipeline gives, where that is known and at most `MOST_AT_ONCE`. */
  readonly atMost?: number;
}

/** Most rows that are asked for as one answer. The database ends an answer at 16 MB. */
const MOST_AT_ONCE = 1_000;

/** The database and its driver take what is named for a choice, also where it is undefined. */
const given = (options: object): Document =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/**
 * Reads all rows by one command. The driver's cursors look at every field of every row before they hand over its bytes,
 * which takes as long as reading it.
 * @returns null when the answer is not complete, or when the command failed: a cursor is retried by the driver
 */
async function atOnce(
  { db, readPreference, readConcern }: RawCollection,
  command: Document,
): Promise<Uint8Array[] | null> {
  const asked = readConcern ? { ...command, readConcern } : command;
  try {
    const answer = await db.command(asked, { fieldsAsRaw: { firstBatch: true }, readPreference });
    const { id, firstBatch } = answer['cursor'] as { id: number; firstBatch: Uint8Array[] };
    return id === 0 ? firstBatch : null;
  } catch (error) {
    // Without a server the driver has waited for one already.
    if (!(error instanceof MongoError) || error instanceof MongoServerSelectionError) throw error;
    return null;
  }
}

/**
 * Finds documents as `decode` gives them. The schema casts the filter, as Mongoose does. Rows are read from their bytes,
 * which takes a third of what lean documents and `decode` take.
 */
export async function findRows<T>(model: Model<T>, filter: QueryFilter<T>, options: RowOptions<T>): Promise<T[]> {
  const { tx, ...rest } = options;
  const { limit, batchSize } = rest;
  const cast = model.find().cast(model, filter) as Document;
  const from = rawCollection(model);
  const { collection } = from;
  const fits = limit > 0 && limit <= MOST_AT_ONCE && !tx && batchSize === undefined;
  const rows = await alongHint(rest, async (how) => {
    // One more than all, so that the answer says it is complete.
    const command = { find: collection.collectionName, filter: cast, ...given(how), batchSize: limit + 1 };
    const found = fits && (await atOnce(from, command));
    return found || collection.find(cast, { ...given({ ...how, session: tx }), raw: true }).toArray();
  });
  return rows.map((bytes) => rowOf<T>(bytes as Uint8Array));
}

/** Runs a pipeline, in which nothing is cast. Its rows are read as those of `findRows`. */
export async function aggregateRows<R, T = unknown>(
  model: Model<T>,
  stages: PipelineStage[],
  { tx, atMost = 0, ...rest }: AggregateOptions<T> = {},
): Promise<R[]> {
  const from = rawCollection(model);
  const { collection } = from;
  const pipeline = stages as Document[];
  const fits = atMost > 0 && atMost <= MOST_AT_ONCE && !tx;
  const rows = await alongHint(rest, async (how) => {
    const cursor = { batchSize: atMost + 1 };
    const command = { aggregate: collection.collectionName, pipeline, cursor, ...given(how) };
    const found = fits && (await atOnce(from, command));
    return found || collection.aggregate(pipeline, { ...given({ ...how, session: tx }), raw: true }).toArray();
  });
  return rows.map((bytes) => rowOf<R>(bytes as Uint8Array));
}
