import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';
import { StoredStorageRef, StoredStorageRefSchema } from '../../objects/data/stored-file.schema.js';
import type { FileFields } from '../../objects/data/file-owner.js';

const { UUID } = MongooseSchema.Types;

export const RUN_KINDS = ['crawl', 'qa'] as const;

/** What was last seen of one instance; tells a new start or exit from one that is already accounted. */
@Schema({ _id: false })
export class SeenInstance {
  @Prop({ type: Number, required: true }) index!: number;
  @Prop({ type: Date, default: null }) startedAt!: Date | null;
  @Prop({ type: Date, default: null }) exitedAt!: Date | null;
  @Prop({ type: Number, default: null }) exitCode!: number | null;
  /** Bytes collected and not yet registered as files. */
  @Prop({ type: Number, default: 0 }) pendingBytes!: number;
}
const SeenInstanceSchema = SchemaFactory.createForClass(SeenInstance);

/**
 * What should run and what was seen of it: one document for each crawl or QA run from its start until its teardown is
 * done. State, stats and files are in the item; here is what the supervisor needs to go on after a restart.
 * Contract: crawling §3.10, §11.1.
 */
@Schema(storedIn('crawl_jobs'))
export class CrawlJob {
  /** Crawl id or QA run id. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) kind!: (typeof RUN_KINDS)[number];
  @Prop({ type: UUID, required: true }) oid!: string;
  /** Workflow. */
  @Prop({ type: UUID, required: true }) cid!: string;
  /** The item: for a QA run its source crawl. */
  @Prop({ type: String, required: true }) crawlId!: string;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: Boolean, default: true }) manual!: boolean;
  @Prop({ type: Date, required: true }) created!: Date;
  /** False from the moment the run has its final state. */
  @Prop({ type: Boolean, default: true }) active!: boolean;

  // Desired.

  @Prop({ type: Number, required: true }) browserWindows!: number;
  /** Seconds of running time; 0 = none. */
  @Prop({ type: Number, default: 0 }) timeout!: number;
  /** Bytes; 0 = none. */
  @Prop({ type: Number, default: 0 }) maxCrawlSize!: number;
  @Prop({ type: UUID, default: null }) dedupeCollId!: string | null;
  /** Where its files go. */
  @Prop({ type: StoredStorageRefSchema, required: true }) storage!: StoredStorageRef;
  /** Template of WACZ names (crawling §14.1). */
  @Prop({ type: String, required: true }) storageFilename!: string;
  @Prop({ type: String, required: true }) warcPrefix!: string;
  /** Key of the profile's file relative to `<oid>/`; null: no profile. */
  @Prop({ type: String, default: null }) profileKey!: string | null;
  /** Graceful stop asked for. */
  @Prop({ type: Boolean, default: false }) stopping!: boolean;
  /** Cancel or deletion of the item asked for. */
  @Prop({ type: Boolean, default: false }) cancelRequested!: boolean;
  /** When a pause was asked for, by a user or a quota; null: should run. */
  @Prop({ type: Date, default: null }) pausedAt!: Date | null;
  /** Instances started before this are restarted with the present config. */
  @Prop({ type: Date, default: null }) restartTime!: Date | null;

  // Observed.

  /** Why the run is stopping or pausing (crawling §11.1); null: it is not. */
  @Prop({ type: String, default: null }) stopReason!: string | null;
  /** The restart that was last handed to the driver. */
  @Prop({ type: Date, default: null }) restartedAt!: Date | null;
  @Prop({ type: Number, default: 0 }) found!: number;
  @Prop({ type: Number, default: 0 }) done!: number;
  /** Bytes collected and not yet registered as files. */
  @Prop({ type: Number, default: 0 }) sizePending!: number;
  @Prop({ type: Number, default: 0 }) filesAdded!: number;
  @Prop({ type: Number, default: 0 }) filesAddedSize!: number;
  @Prop({ type: [SeenInstanceSchema], default: [] }) instances!: SeenInstance[];
  /** Running time of all instances together, milliseconds. */
  @Prop({ type: Number, default: 0 }) execMs!: number;
  /** Running time of the longest running instance, milliseconds. */
  @Prop({ type: Number, default: 0 }) elapsedMs!: number;
  /** Last moment a crawler instance was seen running. */
  @Prop({ type: Date, default: null }) lastActiveTime!: Date | null;
  @Prop({ type: Boolean, default: false }) storeSuspended!: boolean;
  @Prop({ type: Date, default: null }) finished!: Date | null;

  /** Evaluations that failed since the last that did not. Absent from jobs that began before they were counted. */
  @Prop({ type: Number, default: 0 }) failures?: number;

  /** Starts in a row that ended for want of the proxy, without a page more. */
  @Prop({ type: Number, default: 0 }) proxyFailures?: number;

  // Claiming.

  /** When the next evaluation is due. */
  @Prop({ type: Date, required: true }) dueAt!: Date;
  /** When somebody last asked for an evaluation. */
  @Prop({ type: Date, default: null }) nudgedAt!: Date | null;
  /** Whoever holds the lease owns the job until then. */
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
  @Prop({ type: String, default: null }) leaseId!: string | null;
}

export const CrawlJobSchema = SchemaFactory.createForClass(CrawlJob);
// The claim: due and not held, the longest due first.
CrawlJobSchema.index({ dueAt: 1, leaseUntil: 1 });
// Pending sizes of an org's other jobs (seed §8), summed with each look at a job: from the index alone.
CrawlJobSchema.index({ oid: 1, active: 1, _id: 1, sizePending: 1 });
// An index in use can't be deleted.
CrawlJobSchema.index({ dedupeCollId: 1 });
// Two concurrent starts of one workflow: the second insert fails.
CrawlJobSchema.index({ cid: 1 }, { unique: true, partialFilterExpression: { active: true, kind: 'crawl' } });
// The same for QA runs of one crawl.
CrawlJobSchema.index({ crawlId: 1 }, { unique: true, partialFilterExpression: { active: true, kind: 'qa' } });
// All jobs of an item.
CrawlJobSchema.index({ crawlId: 1, active: 1 });

/** What runs are going to write; what they have written is recorded by their items. */
export const RUN_FILES: FileFields = {
  kind: 'run',
  files: { $cond: ['$active', [{ filename: '$storageFilename', storage: '$storage' }], []] },
  isPlanned: true,
};
