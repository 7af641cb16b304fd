import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { listOf } from '../../database/described.js';
import { FAILING, type Failing } from '../../database/failing.js';
import { storedIn } from '../../database/schema-options.js';
import { StoredCrawlConfig, StoredCrawlConfigSchema } from './crawl-config.schema.js';
import { STATE } from './item-state.facts.js';
import { QaRun, QaRunSchema, StoredCrawlStats, StoredCrawlStatsSchema } from './qa-run.schema.js';
import { FIXITY_MARK, type FixityMark } from '../../objects/data/fixity-mark.facts.js';
import { StoredFile, StoredFileSchema } from '../../objects/data/stored-file.schema.js';

const { Map: MapType, Mixed, UUID } = MongooseSchema.Types;

/** What deduplication saved in a finished crawl. */
@Schema({ _id: false })
export class StoredDedupeStats {
  @Prop({ type: Number, default: 0 }) uniqueHashes!: number;
  @Prop({ type: Number, default: 0 }) totalUrls!: number;
  @Prop({ type: Number, default: 0 }) dupeUrls!: number;
  /** Bytes. */
  @Prop({ type: Number, default: 0 }) conservedSize!: number;
}
const StoredDedupeStatsSchema = SchemaFactory.createForClass(StoredDedupeStats);

/**
 * An archived item, which is a crawl or an upload. Some documents of the reference lack the fields marked optional.
 * Contract: crawling §3.4, archive §14.1.
 */
@Schema(storedIn('crawls'))
export class Item {
  /** `manual-…`, `sched-…`, `upload-<uuid>` or a bare UUID (crawling §1.4). */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) type!: 'crawl' | 'upload';
  @Prop({ type: UUID, required: true }) oid!: string;
  /** Id of the workflow; null for uploads. */
  @Prop({ type: UUID, default: null }) cid!: string | null;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: String, default: null }) userName!: string | null;
  @Prop({ type: String, default: '' }) name!: string | null;
  @Prop({ type: String, default: '' }) description!: string | null;
  @Prop({ type: [String], default: [] }) tags!: string[] | null;
  @Prop({ type: [UUID], default: [] }) collectionIds!: string[] | null;
  /** A rating from 1 to 5. */
  @Prop({ type: Number, default: null }) reviewStatus!: number | null;
  @Prop({ type: Date, required: true }) started!: Date;
  @Prop({ type: Date, default: null }) finished!: Date | null;
  /** A state of crawling §2, or `processing-upload`. */
  @Prop({ type: String, required: true, holds: STATE }) state!: string;
  @Prop({ type: StoredCrawlStatsSchema, default: () => ({}) }) stats!: StoredCrawlStats | null;
  @Prop({ type: [StoredFileSchema], default: [] }) files!: StoredFile[];
  /** Bytes of `files`. */
  @Prop({ type: Number, default: 0 }) fileSize!: number;
  @Prop({ type: Number, default: 0 }) fileCount!: number;
  @Prop({ type: Number, default: 0 }) crawlExecSeconds!: number;
  @Prop({ type: String, default: null }) image!: string | null;
  @Prop({ type: Number, default: 0 }) pageCount!: number | null;
  @Prop({ type: Number, default: 0 }) uniquePageCount!: number | null;
  @Prop({ type: Number, default: 0 }) filePageCount!: number | null;
  @Prop({ type: Number, default: 0 }) errorPageCount!: number | null;
  /** Version 2 has its pages in the database. Version 1, or none, does not. */
  @Prop({ type: Number, default: 2 }) version?: number | null;
  @Prop({ type: Boolean, required: false }) isMigrating?: boolean | null;
  @Prop({ type: [String], default: [] }) requiresCrawls!: string[] | null;
  @Prop({ type: [String], default: [] }) requiredByCrawls!: string[] | null;
  @Prop({ type: Mixed, required: false, holds: FIXITY_MARK }) fixity?: FixityMark | null;
  /** The last verifications, the oldest first. This field is ours. */
  @Prop({ type: Mixed, required: false, holds: listOf(FIXITY_MARK) }) fixityRuns?: FixityMark[] | null;
  /** True once the item's deletion has begun. */
  @Prop({ type: Boolean, required: false }) deleted?: boolean;
  /** Whether the deletion takes files with it that other items need. This field is ours. */
  @Prop({ type: Boolean, required: false }) isTakeDown?: boolean | null;
  /** Why the item's deletion could not be completed. This field is ours. */
  @Prop({ type: Mixed, required: false, holds: FAILING }) failing?: Failing | null;

  // All fields from here on are those of crawls.

  @Prop({ type: StoredCrawlConfigSchema, required: false }) config?: StoredCrawlConfig;
  @Prop({ type: String, required: false }) jobType?: string | null;
  @Prop({ type: String, required: false }) schedule?: string | null;
  /** Seconds; 0 means no limit. */
  @Prop({ type: Number, required: false }) crawlTimeout?: number | null;
  /** Bytes; 0 means no limit. */
  @Prop({ type: Number, required: false }) maxCrawlSize?: number | null;
  /** Number of crawler instances: ceil(browserWindows / NUM_BROWSERS). */
  @Prop({ type: Number, required: false }) scale?: number;
  @Prop({ type: Number, required: false }) browserWindows?: number;
  @Prop({ type: UUID, required: false }) profileid?: string | null;
  @Prop({ type: String, required: false }) crawlerChannel?: string | null;
  @Prop({ type: String, required: false }) proxyId?: string | null;
  @Prop({ type: String, required: false }) firstSeed?: string | null;
  @Prop({ type: Number, required: false }) seedCount?: number | null;
  @Prop({ type: UUID, required: false }) dedupeCollId?: string | null;
  /** The workflow's revision when the crawl started. */
  @Prop({ type: Number, required: false }) cid_rev?: number;
  /** False when the scheduler started the crawl. */
  @Prop({ type: Boolean, required: false }) manual?: boolean;
  @Prop({ type: Boolean, required: false }) stopping?: boolean | null;
  @Prop({ type: Boolean, required: false }) shouldPause?: boolean | null;
  @Prop({ type: Date, required: false }) pausedAt?: Date | null;
  @Prop({ type: Date, required: false }) rateLimitedAt?: Date | null;
  @Prop({ type: Number, required: false }) qaCrawlExecSeconds?: number;
  @Prop({ type: QaRunSchema, required: false }) qa?: QaRun | null;
  /** Finished QA runs by id. */
  @Prop({ type: MapType, of: QaRunSchema, required: false }) qaFinished?: Record<string, QaRun> | null;
  /**
   * Why a crawl waits, where its state alone does not say so. The reason applies to the present state only. This field
   * is ours.
   */
  @Prop({ type: String, required: false }) stateReason?: string | null;
  /** Why an upload could not be processed, in words for its owner. This field is ours. */
  @Prop({ type: String, required: false }) uploadError?: string | null;
  /** Bytes that the crawl has collected and that are not yet registered as files. */
  @Prop({ type: Number, required: false }) pendingSize?: number;
  @Prop({ type: Boolean, required: false }) autoPausedEmailsSent?: boolean;
  @Prop({ type: StoredDedupeStatsSchema, required: false }) dedupeStats?: StoredDedupeStats | null;
  /** Execution time is counted up to this moment. The field is absent before the crawl first runs. */
  @Prop({ type: Date, required: false }) _lut?: Date;

  // These fields repeat what `qa` and `qaFinished` say, so that lists can sort by them (qa-sort-fields.facts.ts). The
  // reference's documents lack them and get them at startup.

  @Prop({ type: Number, default: 0 }) qaRunCount?: number;
  @Prop({ type: String, required: false }) lastQAState?: string | null;
  @Prop({ type: Date, required: false }) lastQAStarted?: Date | null;
}

export const BY_STATE = { state: 1, oid: 1, type: 1, started: 1 } as const;
const TYPED_ORDERS = ['fileSize', 'reviewStatus', 'firstSeed'] as const;
/** The orders that few ask for: what they need of all of an org's items is read from one index and sorted. */
export const SORTED_ORDERS = ['qaRunCount', 'crawlExecSeconds'] as const;
/** Serves the order by pages, and has what the sorted orders need. */
// prettier-ignore
export const BY_PAGES = { oid: 1, type: 1, pageCount: -1, _id: -1, state: 1, qaRunCount: 1, crawlExecSeconds: 1 } as const;

export const ItemSchema = SchemaFactory.createForClass(Item);

// One of the reference's indexes, which serves superusers' lists of all orgs. It has ten more that no read here needs; a
// database that was taken over keeps them.
ItemSchema.index({ finished: -1 });
// Serves counts by state, of all orgs too, and an org's active crawls, oldest first: the concurrency gate, running counts
// and the quota of running crawls.
ItemSchema.index(BY_STATE);
// Serves lists of one type by finish or start, and their counts.
ItemSchema.index({ oid: 1, type: 1, finished: -1, _id: -1 });
ItemSchema.index({ oid: 1, type: 1, started: -1, _id: -1 });
// Serves lists of both types by finish.
ItemSchema.index({ oid: 1, finished: -1, _id: -1 });
// Serves the files of several orgs in the order of WASAPI, from any place on.
ItemSchema.index({ oid: 1, started: -1, _id: -1 });
// Serves a workflow's crawls: the lists, the last crawl and the active crawl.
ItemSchema.index({ cid: 1, started: -1, _id: -1 });
ItemSchema.index({ cid: 1, finished: -1, _id: -1 });
// Serves a collection's items, the latest finished first. Ids and counts come from the index alone.
ItemSchema.index({ oid: 1, collectionIds: 1, finished: -1, _id: 1 });
// Serves the default order of superusers' lists of all orgs, and their counts.
ItemSchema.index({ started: -1, _id: -1 });
// Serves the orders of lists by QA, in which the type is the contract's second key (archive §5), and of one type by
// skipping the other.
ItemSchema.index({ oid: 1, lastQAState: -1, type: 1, _id: -1 });
ItemSchema.index({ oid: 1, lastQAState: 1, type: 1, _id: 1 });
ItemSchema.index({ oid: 1, lastQAStarted: -1, type: 1, _id: -1 });
ItemSchema.index({ oid: 1, lastQAStarted: 1, type: 1, _id: 1 });
// Serves the other orders: of one type by one scan, because uploads are few among crawls, of both types by two that are
// merged, and of all orgs by one for each org. Start and finish have indexes above.
for (const field of TYPED_ORDERS) ItemSchema.index({ oid: 1, type: 1, [field]: -1, _id: -1 });
ItemSchema.index(BY_PAGES);
// Serves the exact filters of lists and the values that they offer.
ItemSchema.index({ oid: 1, tags: 1 });
ItemSchema.index({ oid: 1, requiresCrawls: 1 });
ItemSchema.index({ oid: 1, requiredByCrawls: 1 });
ItemSchema.index({ oid: 1, dedupeCollId: 1 });
ItemSchema.index({ oid: 1, userid: 1 });
// Serves exact filters too, and the values that they offer, by skipping from one value to the next.
for (const field of ['name', 'description', 'cid']) ItemSchema.index({ oid: 1, type: 1, [field]: 1 });
// Serves the items whose files were verified longest ago, of all orgs and of one.
ItemSchema.index({ 'fixity.lastVerified': 1, _id: 1 });
ItemSchema.index({ oid: 1, 'fixity.lastVerified': 1, _id: 1 });
// Serves the deletions that a crash interrupted.
ItemSchema.index({ deleted: 1 }, { partialFilterExpression: { deleted: true } });
