import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { decode, uuids } from '../../database/uuid-codec.js';
import { Collection } from '../../collections/data/collection.schema.js';
import { StoredEvent } from '../../events/data/stored-event.schema.js';
import { NON_RUNNING, RUNNING_AND_WAITING, SUCCESSFUL } from '../../items/data/item-state.facts.js';
import { Item } from '../../items/data/item.schema.js';
import { Job } from '../../jobs/data/job.schema.js';
import { Org } from '../../orgs/data/org.schema.js';
import { Page } from '../../pages/data/page.schema.js';
import { Workflow } from '../../workflows/data/workflow.schema.js';

/** Documents read at a time. */
export const BATCH = 200;

export interface PageRecount {
  readonly pageCount: number;
  readonly uniquePageCount: number;
  readonly filePageCount: number;
  readonly errorPageCount: number;
}

export interface CrawlRecount {
  /** Number of crawls in any state. */
  readonly crawls: number;
  /** Number of ended crawls, successful or not. */
  readonly crawlCount: number;
  readonly crawlSuccessfulCount: number;
  readonly totalSize: number;
  readonly isCrawlRunning: boolean;
}

export interface PagesOfNoItem {
  readonly crawlId: string;
  readonly oid: string;
  readonly count: number;
}

const ITEM = {
  ...{ oid: 1, type: 1, state: 1, version: 1, deleted: 1, 'files.size': 1, fileSize: 1, fileCount: 1 },
  ...{ pageCount: 1, uniquePageCount: 1, filePageCount: 1, errorPageCount: 1 },
} as const;
const WORKFLOW = {
  ...{ oid: 1, crawlCount: 1, crawlSuccessfulCount: 1, crawlAttemptCount: 1, totalSize: 1, isCrawlRunning: 1 },
} as const;
const COLLECTION = { oid: 1, crawlCount: 1, pageCount: 1, uniquePageCount: 1, totalSize: 1 } as const;

const countIf = (condition: object): object => ({ $sum: { $cond: [condition, 1, 0] } });
const isIn = (states: readonly string[]): object => ({ $in: ['$state', [...states]] });

/** Recounts the documents of all orgs, in batches in the order of their ids. */
@Injectable()
export class RecountsQueries {
  constructor(
    @InjectModel(Org.name) private readonly orgModel: Model<Org>,
    @InjectModel(Item.name) private readonly items: Model<Item>,
    @InjectModel(Page.name) private readonly pages: Model<Page>,
    @InjectModel(Workflow.name) private readonly workflowModel: Model<Workflow>,
    @InjectModel(Collection.name) private readonly collectionModel: Model<Collection>,
    @InjectModel(Job.name) private readonly jobs: Model<Job>,
    @InjectModel(StoredEvent.name) private readonly events: Model<StoredEvent>,
  ) {}

  orgIds = (): AsyncGenerator<string[]> => batches(this.orgModel, { _id: 1 }, ({ _id }) => _id);
  itemIds = (): AsyncGenerator<string[]> => batches(this.items, { _id: 1 }, ({ _id }) => _id);
  workflowIds = (): AsyncGenerator<string[]> => batches(this.workflowModel, { _id: 1 }, ({ _id }) => _id);
  collections = (): AsyncGenerator<Pick<Collection, '_id' | 'oid'>[]> =>
    batches(this.collectionModel, { _id: 1, oid: 1 }, (one) => one);

  async findItems(ids: readonly string[]): Promise<Item[]> {
    return decode(
      (await this.items
        .find({ _id: { $in: [...ids] } }, ITEM)
        .lean()
        .exec()) as Item[],
    );
  }

  async findWorkflows(ids: readonly string[]): Promise<Workflow[]> {
    return decode(
      (await this.workflowModel
        .find({ _id: { $in: [...ids] } }, WORKFLOW)
        .lean()
        .exec()) as Workflow[],
    );
  }

  async findCollection(id: string): Promise<Collection | null> {
    return decode((await this.collectionModel.findOne({ _id: id }, COLLECTION).lean().exec()) as Collection | null);
  }

  /** Stored pages by item. Items without pages are absent. */
  async pagesOf(itemIds: readonly string[]): Promise<Map<string, PageRecount>> {
    const byUrl = {
      _id: { item: '$crawl_id', url: '$url' },
      pages: { $sum: 1 },
      files: countIf({ $eq: ['$isFile', true] }),
      errors: countIf({ $eq: ['$isError', true] }),
    };
    const byItem = {
      _id: '$_id.item',
      pageCount: { $sum: '$pages' },
      uniquePageCount: { $sum: 1 },
      filePageCount: { $sum: '$files' },
      errorPageCount: { $sum: '$errors' },
    };
    const rows = await this.pages
      .aggregate<PageRecount & { _id: string }>([
        { $match: { crawl_id: { $in: [...itemIds] } } },
        { $group: byUrl },
        { $group: byItem },
      ])
      .allowDiskUse(true)
      .exec();
    return new Map(rows.map(({ _id, ...counts }) => [_id, counts]));
  }

  /** Stored crawls by workflow. Workflows without crawls are absent. */
  async crawlsOf(workflowIds: readonly string[]): Promise<Map<string, CrawlRecount>> {
    const byWorkflow = {
      _id: '$cid',
      crawls: { $sum: 1 },
      crawlCount: countIf(isIn(NON_RUNNING)),
      crawlSuccessfulCount: countIf(isIn(SUCCESSFUL)),
      totalSize: { $sum: { $cond: [isIn(NON_RUNNING), '$fileSize', 0] } },
      active: countIf(isIn(RUNNING_AND_WAITING)),
    };
    const rows = await this.items
      .aggregate<Omit<CrawlRecount, 'isCrawlRunning'> & { _id: string; active: number }>([
        { $match: { cid: { $in: uuids(workflowIds) }, type: { $ne: 'upload' } } },
        { $group: byWorkflow },
      ])
      .allowDiskUse(true)
      .exec();
    return new Map(decode(rows).map(({ _id, active, ...counts }) => [_id, { ...counts, isCrawlRunning: active > 0 }]));
  }

  /** Pages that remain of deleted items. */
  async pagesOfNoItem(): Promise<PagesOfNoItem[]> {
    const stages: PipelineStage[] = [
      { $group: { _id: { crawlId: '$crawl_id', oid: '$oid' }, count: { $sum: 1 } } },
      { $lookup: { from: 'crawls', localField: '_id.crawlId', foreignField: '_id', as: 'item' } },
      { $match: { item: [] } },
      { $project: { _id: 0, crawlId: '$_id.crawlId', oid: '$_id.oid', count: 1 } },
      { $limit: BATCH },
    ];
    return decode(await this.pages.aggregate<PagesOfNoItem>(stages).allowDiskUse(true).exec());
  }

  /** Whether a change of the org is recorded but not yet told, so that its figures will change. */
  async hasUntoldEvents(oid: string): Promise<boolean> {
    return (await this.events.exists({ 'payload.oid': oid }).exec()) !== null;
  }

  /** Whether the collection's statistics are being computed or waiting for it. */
  async isComputing(collectionId: string): Promise<boolean> {
    const filter = { type: 'update-coll-stats', collection_id: collectionId, finished: null };
    return (await this.jobs.exists(filter as never).exec()) !== null;
  }
}

/** All documents of a collection, `BATCH` at a time, in the order of their ids. */
async function* batches<T extends { _id: string }, R>(
  model: Model<T>,
  projection: Record<string, 1>,
  toRow: (document: T) => R,
): AsyncGenerator<R[]> {
  let batch: R[] = [];
  for await (const document of model.find({}, projection).sort({ _id: 1 }).lean().cursor({ batchSize: BATCH })) {
    batch.push(toRow(decode(document as T)));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
