import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { Collection, INDEX_STATES, NO_STATS, type IndexState, type StoredIndexStats } from './collection.schema.js';

/** Indexes that one look changes. */
const MAX_AT_ONCE = 500;

export const NO_INDEX = {
  indexState: null,
  indexStats: null,
  indexLastSavedAt: null,
  indexFile: null,
  indexDiskSpaceUsed: 0,
  indexUsedAt: null,
} satisfies Partial<Collection>;

/** States in which an index may be purged. A crawl may be waiting to use it, but none does. */
export const AT_REST: readonly IndexState[] = ['ready', 'idle'];
/** States of an index that is being brought up to date. */
const UPDATING: readonly IndexState[] = ['importing', 'purging'];

export type IndexPlace = Pick<Collection, '_id' | 'oid'>;

/** The states of dedupe indexes. Every change names the states that it may come from. Contract: archive §7.3. */
@Injectable()
export class IndexStatesRepository {
  private readonly collections: OrgScoped<Collection>;

  constructor(@InjectModel(Collection.name) private readonly model: Model<Collection>) {
    this.collections = new OrgScoped(model);
  }

  /** Makes an index. @returns false when there is one, or no such collection */
  async create(oid: string, collectionId: string, indexState: IndexState, at: Date, tx: Tx): Promise<boolean> {
    const set = { ...NO_INDEX, indexState, indexStats: NO_STATS, indexUsedAt: at };
    return this.move(oid, collectionId, { indexState: null }, set, tx);
  }

  /** Moves an index that is at rest to `purging`. */
  async purge(oid: string, collectionId: string, at: Date, tx: Tx): Promise<boolean> {
    const set: Partial<Collection> = { indexState: 'purging', indexStats: NO_STATS, indexUsedAt: at };
    return this.move(oid, collectionId, { indexState: { $in: [...AT_REST] } }, set, tx);
  }

  /** Says that an index is being brought up to date. One that is purged stays so. @returns false without an index */
  async beginUpdate(oid: string, collectionId: string, at: Date): Promise<boolean> {
    const there = { indexState: { $ne: null } };
    const set = {
      indexUsedAt: at,
      indexState: { $cond: [{ $eq: ['$indexState', 'purging'] }, 'purging', 'importing'] },
      indexStats: { $mergeObjects: [{ $literal: NO_STATS }, '$indexStats', { updateProgress: { $literal: 0 } }] },
    };
    const done = await this.collections.updateOne(oid, { _id: collectionId, ...there }, [{ $set: set }]);
    return done.matched === 1;
  }

  /** Shows how far the update is, from 0 to 1. */
  async setProgress(oid: string, collectionId: string, updateProgress: number): Promise<void> {
    await this.move(
      oid,
      collectionId,
      { indexState: { $in: [...UPDATING] } },
      { 'indexStats.updateProgress': updateProgress },
    );
  }

  /** Ends an update. */
  async endUpdate(
    oid: string,
    collectionId: string,
    indexState: 'ready' | 'crawling',
    indexStats: StoredIndexStats,
    at: Date,
  ): Promise<void> {
    const set: Partial<Collection> = { indexState, indexStats, indexUsedAt: at };
    await this.move(oid, collectionId, { indexState: { $in: [...UPDATING] } }, set);
  }

  /** A crawl uses the index from now on. */
  async use(oid: string, collectionId: string, at: Date): Promise<void> {
    const set: Partial<Collection> = { indexState: 'crawling', indexUsedAt: at };
    await this.move(oid, collectionId, { indexState: { $in: [...AT_REST] } }, set);
  }

  /** No crawl uses the index any more. */
  async rest(oid: string, collectionId: string, at: Date): Promise<void> {
    await this.move(oid, collectionId, { indexState: 'crawling' }, { indexState: 'ready', indexUsedAt: at });
  }

  /** Puts indexes of all orgs to rest that were not used since a moment. */
  async idleAcrossOrgs(usedBefore: Date, now: Date): Promise<void> {
    const filter = { indexState: 'ready', indexUsedAt: { $lt: usedBefore } } as QueryFilter<Collection>;
    const set = { indexState: 'idle', indexLastSavedAt: now } as UpdateQuery<Collection>;
    await this.model.updateMany(filter, { $set: set }).exec();
  }

  /** Indexes of all orgs that are shown as used by crawls. */
  async crawlingAcrossOrgs(): Promise<IndexPlace[]> {
    return this.places({ indexState: 'crawling' } as QueryFilter<Collection>);
  }

  /** Indexes of all orgs that the reference made. Their entries are unknown here. */
  async foreignAcrossOrgs(): Promise<IndexPlace[]> {
    return this.places({ indexState: { $in: [...INDEX_STATES] }, indexUsedAt: null } as QueryFilter<Collection>);
  }

  private async places(filter: QueryFilter<Collection>): Promise<IndexPlace[]> {
    const found = this.model.find(filter, { oid: 1 }).limit(MAX_AT_ONCE).lean();
    return decode((await found.exec()) as IndexPlace[]);
  }

  private async move(oid: string, collectionId: string, from: object, set: object, tx?: Tx): Promise<boolean> {
    const done = await this.collections.updateOne(oid, { ...from, _id: collectionId }, { $set: set }, { tx });
    return done.matched === 1;
  }
}
