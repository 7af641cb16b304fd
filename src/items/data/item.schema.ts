import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
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
 * An archived item: crawl or upload. Fields marked optional are absent from some documents of the reference.
 * Contract: crawling §3.4, archive §14.1.
 */
@Schema(storedIn('crawls'))
export class Item {
  /** `manual-…`, `sched-…`, `upload-<uuid>` or a bare UUID (crawling §1.4). */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) type!: 'crawl' | 'upload';
  @Prop({ type: UUID, required: true }) oid!: string;
  /** Workflow; null for uploads. */
  @Prop({ type: UUID, default: null }) cid!: string | null;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: String, default: null }) userName!: string | null;
  @Prop({ type: String, default: '' }) name!: string | null;
  @Prop({ type: String, default: '' }) description!: string | null;
  @Prop({ type: [String], default: [] }) tags!: string[] | null;
  @Prop({ type: [UUID], default: [] }) collectionIds!: string[] | null;
  /** 1..5 */
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
  /** 2 for new items; 1 or absent: pages not in the database. */
  @Prop({ type: Number, default: 2 }) version?: number | null;
  @Prop({ type: Boolean, required: false }) isMigrating?: boolean | null;
  @Prop({ type: [String], default: [] }) requiresCrawls!: string[] | null;
  @Prop({ type: [String], default: [] }) requiredByCrawls!: string[] | null;
  @Prop({ type: Mixed, required: false, holds: FIXITY_MARK }) fixity?: FixityMark | null;
  /** Set just before deletion. */
  @Prop({ type: Boolean, required: false }) deleted?: boolean;
  /** Ours: of a deletion that could not be completed. */
  @Prop({ type: Mixed, required: false, holds: FAILING }) failing?: Failing | null;

  // Crawls only, from here on.

  @Prop({ type: StoredCrawlConfigSchema, required: false }) config?: StoredCrawlConfig;
  @Prop({ type: String, required: false }) jobType?: string | null;
  @Prop({ type: String, required: false }) schedule?: string | null;
  /** Seconds; 0 = none. */
  @Prop({ type: Number, required: false }) crawlTimeout?: number | null;
  /** Bytes; 0 = none. */
  @Prop({ type: Number, required: false }) maxCrawlSize?: number | null;
  /** Instances: ceil(browserWindows / NUM_BROWSERS). */
  @Prop({ type: Number, required: false }) scale?: number;
  @Prop({ type: Number, required: false }) browserWindows?: number;
  @Prop({ type: UUID, required: false }) profileid?: string | null;
  @Prop({ type: String, required: false }) crawlerChannel?: string | null;
  @Prop({ type: String, required: false }) proxyId?: string | null;
  @Prop({ type: String, required: false }) firstSeed?: string | null;
  @Prop({ type: Number, required: false }) seedCount?: number | null;
  @Prop({ type: UUID, required: false }) dedupeCollId?: string | null;
  /** Revision of the workflow at the start. */
  @Prop({ type: Number, required: false }) cid_rev?: number;
  /** False: started by the scheduler. */
  @Prop({ type: Boolean, required: false }) manual?: boolean;
  @Prop({ type: Boolean, required: false }) stopping?: boolean | null;
  @Prop({ type: Boolean, required: false }) shouldPause?: boolean | null;
  @Prop({ type: Date, required: false }) pausedAt?: Date | null;
  @Prop({ type: Date, required: false }) rateLimitedAt?: Date | null;
  @Prop({ type: Number, required: false }) qaCrawlExecSeconds?: number;
  @Prop({ type: QaRunSchema, required: false }) qa?: QaRun | null;
  /** Finished QA runs by id. */
  @Prop({ type: MapType, of: QaRunSchema, required: false }) qaFinished?: Record<string, QaRun> | null;
  /** Additive: why a crawl waits, where its state alone does not say it; only of the state it is in. */
  @Prop({ type: String, required: false }) stateReason?: string | null;
  /** Additive: why an upload could not be processed, in words for its owner. */
  @Prop({ type: String, required: false }) uploadError?: string | null;
  /** Bytes collected and not yet registered as files. */
  @Prop({ type: Number, required: false }) pendingSize?: number;
  @Prop({ type: Boolean, required: false }) autoPausedEmailsSent?: boolean;
  @Prop({ type: StoredDedupeStatsSchema, required: false }) dedupeStats?: StoredDedupeStats | null;
  /** Up to when execution time is counted; absent before the first running moment. */
  @Prop({ type: Date, required: false }) _lut?: Date;

  // Kept beside `qa` and `qaFinished` so that lists can sort by them (qa-sort-fields.facts.ts); absent from the reference's
  // documents, which get them at the start.

  @Prop({ type: Number, default: 0 }) qaRunCount?: number;
  @Prop({ type: String, required: false }) lastQAState?: string | null;
  @Prop({ type: Date, required: false }) lastQAStarted?: Date | null;
}

const TYPED_ORDERS = [
  'fileSize',
  'reviewStatus',
  'qaRunCount',
  'lastQAState',
  'lastQAStarted',
  'firstSeed',
  'crawlExecSeconds',
  'pageCount',
] as const;

/** Fields by which the items of all orgs have an index that ends with the id. */
export const ORDERS_ACROSS_ORGS: readonly string[] = [
  'started',
  'firstSeed',
  'crawlExecSeconds',
  'pageCount',
  'reviewStatus',
  'qaRunCount',
  'lastQAState',
  'lastQAStarted',
];

export const ItemSchema = SchemaFactory.createForClass(Item);

// The reference's indexes, so that its databases open without building others of the same keys.
ItemSchema.index({ type: 'hashed' });
ItemSchema.index({ type: 'hashed', finished: -1 });
ItemSchema.index({ type: 'hashed', oid: -1 });
ItemSchema.index({ type: 'hashed', cid: -1 });
ItemSchema.index({ type: 'hashed', state: -1 });
ItemSchema.index({ type: 'hashed', fileSize: -1 });
ItemSchema.index({ oid: 'hashed', state: -1 });
ItemSchema.index({ finished: -1 });
ItemSchema.index({ oid: 'hashed' });
ItemSchema.index({ cid: 'hashed' });
ItemSchema.index({ state: 'hashed' });
ItemSchema.index({ fileSize: -1 });
// Active crawls of an org, oldest first: concurrency gate, running counts, quota of running jobs.
ItemSchema.index({ state: 1, oid: 1, started: 1 });
// Counts of one type by state.
ItemSchema.index({ oid: 1, type: 1, state: 1 });
// Lists of one type by finish or start, and the count beside them.
ItemSchema.index({ oid: 1, type: 1, finished: -1, _id: -1 });
ItemSchema.index({ oid: 1, type: 1, started: -1, _id: -1 });
// Lists of both types by finish.
ItemSchema.index({ oid: 1, finished: -1, _id: -1 });
// A workflow's crawls: run list, last crawl, active crawl.
ItemSchema.index({ cid: 1, started: -1, _id: -1 });
ItemSchema.index({ cid: 1, finished: -1 });
// Items of a collection, the latest finished first; their ids and number without reading them.
ItemSchema.index({ oid: 1, collectionIds: 1, finished: -1, _id: 1 });
// The same whatever the org, for superusers' lists.
ItemSchema.index({ collectionIds: 1, finished: -1 });
// Orders of the lists of both types; the secondary order is the contract's (archive §5).
ItemSchema.index({ oid: 1, started: -1, _id: -1 });
ItemSchema.index({ oid: 1, fileSize: -1, _id: -1 });
ItemSchema.index({ oid: 1, reviewStatus: -1, _id: -1 });
ItemSchema.index({ oid: 1, qaRunCount: -1, _id: -1 });
ItemSchema.index({ oid: 1, lastQAState: -1, type: 1, _id: -1 });
ItemSchema.index({ oid: 1, lastQAState: 1, type: 1, _id: 1 });
ItemSchema.index({ oid: 1, lastQAStarted: -1, type: 1, _id: -1 });
ItemSchema.index({ oid: 1, lastQAStarted: 1, type: 1, _id: 1 });
ItemSchema.index({ oid: 1, firstSeed: -1, _id: -1 });
// Orders of superusers' lists of all orgs; by finish and size the reference's above serve them.
for (const field of ORDERS_ACROSS_ORGS) ItemSchema.index({ [field]: -1, _id: -1 });
// Orders of the lists of one type, those by start and finish above aside: uploads are few among crawls.
for (const field of TYPED_ORDERS) ItemSchema.index({ oid: 1, type: 1, [field]: -1, _id: -1 });
// Exact filters of the lists and the values offered for them.
ItemSchema.index({ oid: 1, name: 1 });
ItemSchema.index({ oid: 1, description: 1 });
ItemSchema.index({ oid: 1, tags: 1 });
ItemSchema.index({ oid: 1, requiresCrawls: 1 });
ItemSchema.index({ oid: 1, requiredByCrawls: 1 });
ItemSchema.index({ oid: 1, dedupeCollId: 1 });
ItemSchema.index({ oid: 1, userid: 1 });
// The values of one type that filters can be filled with: an index skips from one to the next.
for (const field of ['name', 'description', 'cid']) ItemSchema.index({ oid: 1, type: 1, [field]: 1 });
// Items whose files were compared longest ago: of all orgs, and of one.
ItemSchema.index({ 'fixity.lastVerified': 1, _id: 1 });
ItemSchema.index({ oid: 1, 'fixity.lastVerified': 1, _id: 1 });
// Items of a user who changes the name that is kept with them.
ItemSchema.index({ userid: 1 });
// Deletions that a crash interrupted.
ItemSchema.index({ deleted: 1 }, { partialFilterExpression: { deleted: true } });
