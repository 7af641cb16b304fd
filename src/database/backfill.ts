import { Logger } from '@nestjs/common';
import type { AnyObject, Collection, mongo } from 'mongoose';
import type { IndexKeys } from './list-hint.js';

type Update = mongo.UpdateFilter<AnyObject>;

/** A field of this program that documents of another version lack. */
export interface Backfill {
  /** Name of the backfill in the log. */
  readonly name: string;
  readonly collection: Collection<AnyObject>;
  /**
   * Matches the documents without the field, and none that has it. It is queried at every start, so an index should
   * serve it.
   */
  readonly missing: mongo.Filter<AnyObject>;
  /** The index that serves `missing`, where the database would not find it. */
  readonly hint?: IndexKeys;
  /** Queries org by org, where the index that serves `missing` begins with `oid`. */
  readonly byOrg?: boolean;
  /**
   * The database computes the field from the document, or the function is asked for each document. Null: the document
   * stays without it.
   */
  readonly update: AnyObject[] | ((id: unknown) => Promise<Update | null>);
}

/** Documents that are written with one command. */
const BATCH = 1000;
const logger = new Logger('database');

/**
 * Fills a field, at the start. A backfill with nothing to fill costs one query. One batch of ids is held at a time.
 * Filled documents are not found again, so a run that broke off continues where it stopped. Several processes may run
 * at once: the second one changes nothing.
 * @returns how many documents were filled
 */
export async function fillMissing(backfill: Backfill): Promise<number> {
  const { collection, missing, byOrg, hint } = backfill;
  const scopes = byOrg ? (await collection.distinct('oid')).map((oid: unknown) => ({ oid })) : [{}];
  let filled = 0;
  for (const scope of scopes) {
    let ids: unknown[] = [];
    const found = collection.find(
      { ...scope, ...missing },
      { projection: { _id: 1 }, batchSize: BATCH, ...(hint ? { hint } : {}) },
    );
    for await (const { _id } of found) {
      ids.push(_id);
      if (ids.length < BATCH) continue;
      filled += await fill(backfill, ids);
      ids = [];
    }
    filled += await fill(backfill, ids);
  }
  if (filled > 0) logger.log({ event: 'backfilled', name: backfill.name, count: filled });
  return filled;
}

async function fill({ collection, missing, update }: Backfill, ids: unknown[]): Promise<number> {
  if (ids.length === 0) return 0;
  if (Array.isArray(update)) {
    // The update finds the documents by their ids. Otherwise the index that serves `missing` would be read from its
    // start for every batch.
    const batch = { ...missing, _id: { $in: ids } } as mongo.Filter<AnyObject>;
    return (await collection.updateMany(batch, update, { hint: { _id: 1 } })).modifiedCount;
  }
  let filled = 0;
  for (const id of ids) {
    const found = await update(id);
    const one = { ...missing, _id: id } as mongo.Filter<AnyObject>;
    if (found) filled += (await collection.updateOne(one, found)).modifiedCount;
  }
  return filled;
}
