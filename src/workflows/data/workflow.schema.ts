import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { documentOf, listOf, MOMENT, NUMBER, TEXT, wordOf } from '../../database/described.js';
import { IGNORE_CASE_AND_ACCENTS } from '../../database/org-scoped.js';
import { storedIn } from '../../database/schema-options.js';
import { STATE } from '../../items/data/item-state.facts.js';
import { StoredCrawlConfig, StoredCrawlConfigSchema } from '../../items/data/crawl-config.schema.js';

const { Mixed, UUID } = MongooseSchema.Types;

export const JOB_TYPES = ['url-list', 'seed-crawl', 'custom'] as const;
export type JobType = (typeof JOB_TYPES)[number];

/** Counters of a crawl as its workflow remembers the last one's. */
export interface LastCrawlStats {
  readonly found: number;
  readonly done: number;
  /** Bytes. */
  readonly size: number;
  readonly req_crawls?: string[];
}

export interface PendingFiring {
  /** The moment the schedule names. */
  readonly at: Date;
  readonly leaseUntil: Date;
}

export interface SkippedFiring {
  readonly at: Date;
  /** A `detail` of the contract, or `org_gone`, `user_gone`. */
  readonly reason: string;
}

const CRAWL_STATS = documentOf({ found: NUMBER, done: NUMBER, size: NUMBER, req_crawls: listOf(TEXT) });
const PENDING = documentOf({ at: MOMENT, leaseUntil: MOMENT }, ['at', 'leaseUntil']);
const SKIPPED = documentOf({ at: MOMENT, reason: TEXT }, ['at', 'reason']);

/** A crawl configuration with its schedule and the figures of its crawls (crawling §3.1). */
@Schema(storedIn('crawl_configs'))
export class Workflow {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: String, default: null }) name!: string | null;
  @Prop({ type: String, default: '' }) description!: string | null;
  @Prop({ type: [String], default: [] }) tags!: string[];
  /** Informational. */
  @Prop({ type: String, default: 'custom', holds: wordOf(...JOB_TYPES) }) jobType!: JobType | null;
  @Prop({ type: StoredCrawlConfigSchema, required: true }) config!: StoredCrawlConfig;
  /** Cron expression or descriptor; "" or null: none. */
  @Prop({ type: String, default: '' }) schedule!: string | null;
  @Prop({ type: UUID, default: null }) profileid!: string | null;
  @Prop({ type: String, default: null }) proxyId!: string | null;
  @Prop({ type: String, default: 'default' }) crawlerChannel!: string | null;
  /** Seconds; 0: no limit. */
  @Prop({ type: Number, default: 0 }) crawlTimeout!: number | null;
  /** Bytes; 0: no limit. */
  @Prop({ type: Number, default: 0 }) maxCrawlSize!: number | null;
  /** Always null; the reference's former way to say windows. */
  @Prop({ type: Number, default: null }) scale!: number | null;
  @Prop({ type: Number, default: 2 }) browserWindows!: number;
  @Prop({ type: String, default: null }) crawlFilenameTemplate!: string | null;
  @Prop({ type: [UUID], default: [] }) autoAddCollections!: string[];
  @Prop({ type: UUID, default: null }) dedupeCollId!: string | null;
  @Prop({ type: Boolean, default: false }) shareable!: boolean;
  /** First start URL, normalised when it comes from `seeds`, as typed when from a seed file. */
  @Prop({ type: String, default: '' }) firstSeed!: string;
  @Prop({ type: Number, default: 0 }) seedCount!: number;
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: UUID, default: null }) createdBy!: string | null;
  @Prop({ type: String, default: null }) createdByName!: string | null;
  @Prop({ type: Date, default: null }) modified!: Date | null;
  @Prop({ type: UUID, default: null }) modifiedBy!: string | null;
  @Prop({ type: String, default: null }) modifiedByName!: string | null;
  /** Number of persisted changes. */
  @Prop({ type: Number, default: 0 }) rev!: number;
  /** True: deleted, kept because crawls of it may be there. */
  @Prop({ type: Boolean, default: false }) inactive!: boolean;

  /** Crawls ever started. */
  @Prop({ type: Number, default: 0 }) crawlAttemptCount!: number;
  /** Finished crawls still stored. */
  @Prop({ type: Number, default: 0 }) crawlCount!: number;
  @Prop({ type: Number, default: 0 }) crawlSuccessfulCount!: number;
  /** Bytes of the files of stored crawls. */
  @Prop({ type: Number, default: 0 }) totalSize!: number;
  /** The running crawl, else the one that finished last. */
  @Prop({ type: String, default: null }) lastCrawlId!: string | null;
  @Prop({ type: Date, default: null }) lastCrawlStartTime!: Date | null;
  @Prop({ type: UUID, default: null }) lastStartedBy!: string | null;
  @Prop({ type: String, default: null }) lastStartedByName!: string | null;
  /** Finish of the last crawl; null while one runs. */
  @Prop({ type: Date, default: null }) lastCrawlTime!: Date | null;
  @Prop({ type: String, default: null, holds: STATE }) lastCrawlState!: string | null;
  @Prop({ type: Number, default: null }) lastCrawlSize!: number | null;
  /** Start of the running crawl, else finish of the last one. */
  @Prop({ type: Date, default: null }) lastRun!: Date | null;
  @Prop({ type: Boolean, default: false }) isCrawlRunning!: boolean;
  @Prop({ type: Mixed, default: null, holds: CRAWL_STATS }) lastCrawlStats!: LastCrawlStats | null;
  @Prop({ type: Boolean, default: false }) lastCrawlStopping!: boolean | null;

  /** Additive. Next firing of the schedule; null without one. The scheduler claims a firing by moving it. */
  @Prop({ type: Date, default: null }) nextRun!: Date | null;
  /** Additive. Who registered the schedule: scheduled crawls run in this name (crawling §12.2). */
  @Prop({ type: UUID, default: null }) scheduledBy!: string | null;
  /** Additive. A firing that was claimed and is not yet dealt with; taken over by others when its lease runs out. */
  @Prop({ type: Mixed, default: null, holds: PENDING }) pendingFiring!: PendingFiring | null;
  /** Additive. The last firing that started no crawl, and why. */
  @Prop({ type: Mixed, default: null, holds: SKIPPED }) skippedFiring!: SkippedFiring | null;
  /** Additive. The last events counted in the figures above, newest last: none is counted twice. */
  @Prop({ type: [String], default: [] }) countedEvents!: string[];
  /** Additive. Counts changes of the figures, so that an older reading of the crawls never overwrites a newer one. */
  @Prop({ type: Number, default: 0 }) figuresRev!: number;
}

/** Keys of the list's orders by what `sortBy` names, the id aside, which is the last of each. Contract: crawling §4.6. */
export const WORKFLOW_ORDERS = {
  created: ['created'],
  modified: ['modified'],
  firstSeed: ['firstSeed'],
  name: ['name', 'firstSeed'],
  // Running ones first, or last.
  lastCrawlTime: ['isCrawlRunning', 'lastCrawlTime', 'modified'],
  lastCrawlStartTime: ['isCrawlRunning', 'lastCrawlStartTime', 'modified'],
  lastRun: ['isCrawlRunning', 'lastRun', 'modified'],
} as const;
export type WorkflowSort = keyof typeof WORKFLOW_ORDERS;
export const WORKFLOW_SORTS = Object.keys(WORKFLOW_ORDERS) as WorkflowSort[];

/** Name of the index that has an order of the list. */
export const orderIndex = (sort: WorkflowSort): string => `oid_1_inactive_1_${sort}_ci`;

export const WorkflowSchema = SchemaFactory.createForClass(Workflow);
// The reference's own indexes, so that its databases open unchanged.
WorkflowSchema.index({ oid: 'hashed', inactive: 1 });
WorkflowSchema.index({ oid: 1, tags: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
WorkflowSchema.index({ oid: 1, name: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
WorkflowSchema.index({ oid: 1, firstSeed: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
WorkflowSchema.index({ oid: 1, inactive: 1, profileid: 1 });
WorkflowSchema.index({ lastRun: -1, modified: -1 });
WorkflowSchema.index({ name: 1, firstSeed: 1 });
// Orders of the list; the collation is that of the list, which reads no index of another one.
for (const sort of WORKFLOW_SORTS) {
  const order = Object.fromEntries(WORKFLOW_ORDERS[sort].map((field) => [field, -1 as const]));
  const options = { name: orderIndex(sort), collation: IGNORE_CASE_AND_ACCENTS };
  WorkflowSchema.index({ oid: 1, inactive: 1, ...order, _id: -1 }, options);
}
// Due schedules, across orgs.
WorkflowSchema.index({ nextRun: 1 });
// Whether a seed file is in use.
WorkflowSchema.index({ 'config.seedFileId': 1 });
// Firings whose process died, across orgs.
WorkflowSchema.index({ 'pendingFiring.leaseUntil': 1 }, { sparse: true });
// Renaming a user, across orgs.
WorkflowSchema.index({ createdBy: 1 });
WorkflowSchema.index({ modifiedBy: 1 });
WorkflowSchema.index({ lastStartedBy: 1 });
