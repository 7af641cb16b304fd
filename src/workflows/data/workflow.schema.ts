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

/** Counters of the last crawl, as its workflow stores them. */
export interface LastCrawlStats {
  readonly found: number;
  readonly done: number;
  /** Bytes. */
  readonly size: number;
  readonly req_crawls?: string[];
}

export interface PendingFiring {
  /** The moment that the schedule names. */
  readonly at: Date;
  readonly leaseUntil: Date;
}

export interface SkippedFiring {
  readonly at: Date;
  /** A `detail` of the contract, or a reason of the scheduler, e.g. `org_gone`, `user_gone`. */
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
  /** The job type that the client sent. It is informational. */
  @Prop({ type: String, default: 'custom', holds: wordOf(...JOB_TYPES) }) jobType!: JobType | null;
  @Prop({ type: StoredCrawlConfigSchema, required: true }) config!: StoredCrawlConfig;
  /** Cron expression or descriptor; "" or null means no schedule. */
  @Prop({ type: String, default: '' }) schedule!: string | null;
  @Prop({ type: UUID, default: null }) profileid!: string | null;
  @Prop({ type: String, default: null }) proxyId!: string | null;
  @Prop({ type: String, default: 'default' }) crawlerChannel!: string | null;
  /** Seconds; 0 means no limit. */
  @Prop({ type: Number, default: 0 }) crawlTimeout!: number | null;
  /** Bytes; 0 means no limit. */
  @Prop({ type: Number, default: 0 }) maxCrawlSize!: number | null;
  /** Always null. The reference formerly counted browser windows by this scale. */
  @Prop({ type: Number, default: null }) scale!: number | null;
  @Prop({ type: Number, default: 2 }) browserWindows!: number;
  @Prop({ type: String, default: null }) crawlFilenameTemplate!: string | null;
  @Prop({ type: [UUID], default: [] }) autoAddCollections!: string[];
  @Prop({ type: UUID, default: null }) dedupeCollId!: string | null;
  @Prop({ type: Boolean, default: false }) shareable!: boolean;
  /** First start URL. It is normalised when it comes from `seeds`, and as typed when it comes from a seed file. */
  @Prop({ type: String, default: '' }) firstSeed!: string;
  @Prop({ type: Number, default: 0 }) seedCount!: number;
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: UUID, default: null }) createdBy!: string | null;
  @Prop({ type: String, default: null }) createdByName!: string | null;
  @Prop({ type: Date, default: null }) modified!: Date | null;
  @Prop({ type: UUID, default: null }) modifiedBy!: string | null;
  @Prop({ type: String, default: null }) modifiedByName!: string | null;
  /** Number of changes stored so far. */
  @Prop({ type: Number, default: 0 }) rev!: number;
  /** True when the workflow is deleted but kept because crawls of it may exist. */
  @Prop({ type: Boolean, default: false }) inactive!: boolean;

  /** Number of crawls ever started. */
  @Prop({ type: Number, default: 0 }) crawlAttemptCount!: number;
  /** Number of finished crawls that are still stored. */
  @Prop({ type: Number, default: 0 }) crawlCount!: number;
  @Prop({ type: Number, default: 0 }) crawlSuccessfulCount!: number;
  /** Bytes of the files of stored crawls. */
  @Prop({ type: Number, default: 0 }) totalSize!: number;
  /** Id of the running crawl, or else of the one that finished last. */
  @Prop({ type: String, default: null }) lastCrawlId!: string | null;
  @Prop({ type: Date, default: null }) lastCrawlStartTime!: Date | null;
  @Prop({ type: UUID, default: null }) lastStartedBy!: string | null;
  @Prop({ type: String, default: null }) lastStartedByName!: string | null;
  /** Finish of the last crawl; null while a crawl runs. */
  @Prop({ type: Date, default: null }) lastCrawlTime!: Date | null;
  @Prop({ type: String, default: null, holds: STATE }) lastCrawlState!: string | null;
  @Prop({ type: Number, default: null }) lastCrawlSize!: number | null;
  /** Start of the running crawl, or else finish of the last one. */
  @Prop({ type: Date, default: null }) lastRun!: Date | null;
  @Prop({ type: Boolean, default: false }) isCrawlRunning!: boolean;
  @Prop({ type: Mixed, default: null, holds: CRAWL_STATS }) lastCrawlStats!: LastCrawlStats | null;
  @Prop({ type: Boolean, default: false }) lastCrawlStopping!: boolean | null;

  /**
   * Next firing of the schedule, or null without one. The scheduler takes a firing by moving this on. This field is
   * ours.
   */
  @Prop({ type: Date, default: null }) nextRun!: Date | null;
  /**
   * The user who registered the schedule. Scheduled crawls run in this user's name (crawling §12.2). This field is
   * ours.
   */
  @Prop({ type: UUID, default: null }) scheduledBy!: string | null;
  /**
   * A firing that was taken and has not ended yet. Another process takes it over when its lease runs out. This field is
   * ours.
   */
  @Prop({ type: Mixed, default: null, holds: PENDING }) pendingFiring!: PendingFiring | null;
  /** The last firing that started no crawl, and why. This field is ours. */
  @Prop({ type: Mixed, default: null, holds: SKIPPED }) skippedFiring!: SkippedFiring | null;
  /** The last events counted in the figures above, newest last, so that none is counted twice. This field is ours. */
  @Prop({ type: [String], default: [] }) countedEvents!: string[];
  /**
   * Counts changes of the figures, so that an older reading of the crawls never overwrites a newer one. This field is
   * ours.
   */
  @Prop({ type: Number, default: 0 }) figuresRev!: number;
}

/**
 * Sort keys of the list for each value of `sortBy`. The id is the last key of every order and is not listed here.
 * Contract: crawling §4.6.
 */
export const WORKFLOW_ORDERS = {
  created: ['created'],
  modified: ['modified'],
  firstSeed: ['firstSeed'],
  name: ['name', 'firstSeed'],
  // Running workflows come first, or last.
  lastCrawlTime: ['isCrawlRunning', 'lastCrawlTime', 'modified'],
  lastCrawlStartTime: ['isCrawlRunning', 'lastCrawlStartTime', 'modified'],
  lastRun: ['isCrawlRunning', 'lastRun', 'modified'],
} as const;
export type WorkflowSort = keyof typeof WORKFLOW_ORDERS;
export const WORKFLOW_SORTS = Object.keys(WORKFLOW_ORDERS) as WorkflowSort[];

/** Returns the name of the index that serves an order of the list. */
export const orderIndex = (sort: WorkflowSort): string => `oid_1_inactive_1_${sort}_ci`;

export const WorkflowSchema = SchemaFactory.createForClass(Workflow);
// The reference's own indexes are declared so that its databases open unchanged.
WorkflowSchema.index({ oid: 'hashed', inactive: 1 });
WorkflowSchema.index({ oid: 1, tags: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
WorkflowSchema.index({ oid: 1, name: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
WorkflowSchema.index({ oid: 1, firstSeed: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
WorkflowSchema.index({ oid: 1, inactive: 1, profileid: 1 });
WorkflowSchema.index({ lastRun: -1, modified: -1 });
WorkflowSchema.index({ name: 1, firstSeed: 1 });
// Serves the orders of the list. The collation is the list's, because a list cannot use an index with another
// collation.
for (const sort of WORKFLOW_SORTS) {
  const order = Object.fromEntries(WORKFLOW_ORDERS[sort].map((field) => [field, -1 as const]));
  const options = { name: orderIndex(sort), collation: IGNORE_CASE_AND_ACCENTS };
  WorkflowSchema.index({ oid: 1, inactive: 1, ...order, _id: -1 }, options);
}
// Serves the due schedules of all orgs.
WorkflowSchema.index({ nextRun: 1 });
// Serves the question whether a seed file is in use.
WorkflowSchema.index({ 'config.seedFileId': 1 });
// Serves the firings of all orgs whose process died.
WorkflowSchema.index({ 'pendingFiring.leaseUntil': 1 }, { sparse: true });
// Serves the renaming of a user in workflows of all orgs.
WorkflowSchema.index({ createdBy: 1 });
WorkflowSchema.index({ modifiedBy: 1 });
WorkflowSchema.index({ lastStartedBy: 1 });
