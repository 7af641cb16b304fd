import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import { OrgScoped, type WriteResult } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { RUNNING_AND_WAITING, type CrawlState } from '../../items/data/item-state.facts.js';
import { Item } from '../../items/data/item.schema.js';
import type { StoredCrawlStats } from '../../items/data/qa-run.schema.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import type { CrawlJob } from './crawl-job.schema.js';

/** The keys of one run: a crawl, or a QA run inside its crawl. */
export type RunKey = Pick<CrawlJob, '_id' | 'kind' | 'oid' | 'crawlId'>;

type RunUpdate = Partial<
  Pick<
    Item,
    | 'started'
    | 'finished'
    | 'stats'
    | 'files'
    | 'fileSize'
    | 'fileCount'
    | 'crawlExecSeconds'
    | 'image'
    | '_lut'
    | 'rateLimitedAt'
    | 'autoPausedEmailsSent'
    | 'stateReason'
  >
>;

/**
 * The part of an item that the supervisor writes: a crawl's own fields, or those of its active QA run under `qa`. Every
 * write names the state that it expects.
 */
@Injectable()
export class RunsRepository {
  private readonly items: OrgScoped<Item>;

  constructor(@InjectModel(Item.name) private readonly model: Model<Item>) {
    this.items = new OrgScoped(model);
  }

  async findItem(oid: string, crawlId: string): Promise<Item | null> {
    return this.items.findOne(oid, { _id: crawlId });
  }

  /** Finds items for the supervisor, which looks at runs of several orgs at once. */
  async findItemsAcrossOrgs(crawlIds: readonly string[]): Promise<Item[]> {
    const ids = [...new Set(crawlIds)];
    return decode(
      (await this.model
        .find({ _id: { $in: ids } }, null, { limit: ids.length })
        .lean()
        .exec()) as Item[],
    );
  }

  /** Moves a run to `to` from one of `from`. @returns false when the run is in another state, or gone */
  async move(run: RunKey, to: CrawlState, from: readonly CrawlState[], set: RunUpdate = {}, tx?: Tx): Promise<boolean> {
    const p = prefixOf(run);
    const fields = Object.fromEntries(Object.entries(set).map(([field, value]) => [p + field, value]));
    // The active QA run is the latest, so the field that lists sort by changes with its state.
    const shown = run.kind === 'qa' ? { lastQAState: to } : {};
    const update = { $set: { ...fields, ...shown, [`${p}state`]: to } };
    return (await this.write(run, { [`${p}state`]: { $in: [...from] } }, update, tx)).matched === 1;
  }

  /** Starts metering at `at`, once. @returns whether this call did */
  async startMeter(run: RunKey, at: Date, tx: Tx): Promise<boolean> {
    const p = prefixOf(run);
    return (await this.write(run, { [`${p}_lut`]: null }, { $set: { [`${p}_lut`]: at } }, tx)).matched === 1;
  }

  /** Adds metered seconds once. @returns false when another process has accounted since `meter.since` */
  async addExecSeconds(run: RunKey, meter: { since: Date; until: Date; seconds: number }, tx: Tx): Promise<boolean> {
    const p = prefixOf(run);
    const inc = run.kind === 'qa' ? { qaCrawlExecSeconds: meter.seconds } : {};
    const update = { $set: { [`${p}_lut`]: meter.until }, $inc: { [`${p}crawlExecSeconds`]: meter.seconds, ...inc } };
    return (await this.write(run, { [`${p}_lut`]: meter.since }, update, tx)).matched === 1;
  }

  /** Stores live counters, if the run is in one of the states that show them. */
  async setStats(
    run: RunKey,
    stats: StoredCrawlStats,
    pendingBytes: number,
    shownIn: readonly CrawlState[],
  ): Promise<void> {
    const p = prefixOf(run);
    const pending = run.kind === 'crawl' ? { pendingSize: pendingBytes } : {};
    await this.write(run, { [`${p}state`]: { $in: [...shownIn] } }, { $set: { [`${p}stats`]: stats, ...pending } });
  }

  /**
   * Registers a file once, while the run is active.
   * @returns false when it was registered before, or the run has ended
   */
  async addFile(run: RunKey, file: StoredFile, tx: Tx): Promise<boolean> {
    const p = prefixOf(run);
    const filter = {
      [`${p}state`]: { $in: RUNNING_AND_WAITING },
      [`${p}files.filename`]: { $ne: file.filename },
      deleted: { $ne: true },
    };
    const update = { $push: { [`${p}files`]: file }, $inc: { [`${p}fileCount`]: 1, [`${p}fileSize`]: file.size } };
    return (await this.write(run, filter, update, tx)).matched === 1;
  }

  /** Empties the list of files. @returns the files it held */
  async takeFiles(run: RunKey, tx: Tx): Promise<StoredFile[]> {
    const p = prefixOf(run);
    const update = { $set: { [`${p}files`]: [], [`${p}fileCount`]: 0, [`${p}fileSize`]: 0 } };
    const before = await this.items.findOneAndUpdate(run.oid, keyOf(run), update, { returns: 'before', tx });
    return (run.kind === 'qa' ? before?.qa?.files : before?.files) ?? [];
  }

  async hasFile(run: RunKey, filename: string): Promise<boolean> {
    return (await this.items.count(run.oid, { ...keyOf(run), [`${prefixOf(run)}files.filename`]: filename })) > 0;
  }

  /** Sets fields of the crawl's document, whatever its state. */
  async setCrawl(oid: string, crawlId: string, set: Partial<Item>, tx?: Tx): Promise<boolean> {
    return (
      (await this.items.updateOne(oid, { _id: crawlId }, { $set: set } as UpdateQuery<Item>, { tx })).matched === 1
    );
  }

  /** Sets fields of a crawl that is still active. */
  async setActiveCrawl(oid: string, crawlId: string, set: Partial<Item>, tx?: Tx): Promise<boolean> {
    const filter = { _id: crawlId, state: { $in: [...RUNNING_AND_WAITING] } };
    return (await this.items.updateOne(oid, filter, { $set: set } as UpdateQuery<Item>, { tx })).matched === 1;
  }

  async addPageCounts(oid: string, crawlId: string, add: { files: number; errors: number }): Promise<void> {
    if (add.files === 0 && add.errors === 0) return;
    const $inc = { filePageCount: add.files, errorPageCount: add.errors };
    await this.items.updateOne(oid, { _id: crawlId }, { $inc });
  }

  /** Links a finished crawl, both ways, with the crawls whose payloads it refers to. */
  async linkRequired(oid: string, crawlId: string, required: readonly string[], tx: Tx): Promise<void> {
    if (required.length === 0) return;
    const ids = [...required];
    await this.items.updateOne(oid, { _id: crawlId }, { $addToSet: { requiresCrawls: { $each: ids } } }, { tx });
    await this.items.updateMany(oid, { _id: { $in: ids } }, { $addToSet: { requiredByCrawls: crawlId } }, { tx });
  }

  /** The first `limit` of the org's active crawls, oldest first. */
  async oldestActive(oid: string, limit: number): Promise<string[]> {
    const found = await this.items.find(oid, activeCrawls(), {
      limit,
      sort: { started: 1, _id: 1 },
      projection: { _id: 1 },
    });
    return found.map(({ _id }) => _id);
  }

  async countInState(oid: string, state: CrawlState): Promise<number> {
    return this.items.count(oid, { type: 'crawl', state });
  }

  async activeOfWorkflow(oid: string, cid: string): Promise<Item[]> {
    return this.items.find(oid, { cid, ...activeCrawls() }, { limit: 100, sort: { started: -1 } });
  }

  private async write(run: RunKey, filter: object, update: UpdateQuery<Item>, tx?: Tx): Promise<WriteResult> {
    return this.items.updateOne(run.oid, { ...keyOf(run), ...filter }, update, { tx });
  }
}

const prefixOf = (run: RunKey): '' | 'qa.' => (run.kind === 'qa' ? 'qa.' : '');

const keyOf = (run: RunKey) => (run.kind === 'qa' ? { _id: run.crawlId, 'qa.id': run._id } : { _id: run.crawlId });

const activeCrawls = () => ({ type: 'crawl' as const, state: { $in: [...RUNNING_AND_WAITING] } });
