import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';
import { StoredStorageRef, StoredStorageRefSchema } from '../../objects/data/stored-file.schema.js';
import type { FileFields } from '../../objects/data/file-owner.js';

const { UUID } = MongooseSchema.Types;

export const RUN_KINDS = ['crawl', 'qa'] as const;

/** What was last seen of one instance. It tells a new start or exit from one that is already accounted. */
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
 * The desired and the observed state of a run. There is one document for each crawl or QA run, from its start until its
 * teardown is done. State, stats and files are in the item. The job has what the supervisor needs to continue after a
 * restart. Contract: crawling §3.10, §11.1.
 */
@Schema(storedIn('crawl_jobs'))
export class CrawlJob {
  /** Crawl id or QA run id. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) kind!: (typeof RUN_KINDS)[number];
  @Prop({ type: UUID, required: true }) oid!: string;
  /** Id of the workflow. */
  @Prop({ type: UUID, required: true }) cid!: string;
  /** Id of the item; for a QA run, of its source crawl. */
  @Prop({ type: String, required: true }) crawlId!: string;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: Boolean, default: true }) manual!: boolean;
  @Prop({ type: Date, required: true }) created!: Date;
  /** False from the moment the run has its final state. */
  @Prop({ type: Boolean, default: true }) active!: boolean;

  // Desired state.

  @Prop({ type: Number, required: true }) browserWindows!: number;
  /** Limit of the running time in seconds; 0 = none. */
  @Prop({ type: Number, default: 0 }) timeout!: number;
  /** Limit of the size in bytes; 0 = none. */
  @Prop({ type: Number, default: 0 }) maxCrawlSize!: number;
  @Prop({ type: UUID, default: null }) dedupeCollId!: string | null;
  /** Storage of the run's files. */
  @Prop({ type: StoredStorageRefSchema, required: true }) storage!: StoredStorageRef;
  /** Template of WACZ names (crawling §14.1). */
  @Prop({ type: String, required: true }) storageFilename!: string;
  @Prop({ type: String, required: true }) warcPrefix!: string;
  /** Key of the profile's file relative to `<oid>/`; null: no profile. */
  @Prop({ type: String, default: null }) profileKey!: string | null;
  /** A graceful stop was asked for. */
  @Prop({ type: Boolean, default: false }) stopping!: boolean;
  /** A cancel, or the deletion of the item, was asked for. */
  @Prop({ type: Boolean, default: false }) cancelRequested!: boolean;
  /** When a user or a quota asked for a pause; null: the run should be running. */
  @Prop({ type: Date, default: null }) pausedAt!: Date | null;
  /** Instances started before this are restarted with the present config. */
  @Prop({ type: Date, default: null }) restartTime!: Date | null;

  // Observed state.

  /** Why the run is stopping or pausing (crawling §11.1); null: it is not. */
  @Prop({ type: String, default: null }) stopReason!: string | null;
  /** The `restartTime` that was last handed to the driver. */
  @Prop({ type: Date, default: null }) restartedAt!: Date | null;
  @Prop({ type: Number, default: 0 }) found!: number;
  @Prop({ type: Number, default: 0 }) done!: number;
  /** Bytes collected and not yet registered as files. */
  @Prop({ type: Number, default: 0 }) sizePending!: number;
  @Prop({ type: Number, default: 0 }) filesAdded!: number;
  @Prop({ type: Number, default: 0 }) filesAddedSize!: number;
  @Prop({ type: [SeenInstanceSchema], default: [] }) instances!: SeenInstance[];
  /** Running time of all instances together, in milliseconds. */
  @Prop({ type: Number, default: 0 }) execMs!: number;
  /** Running time of the longest running instance, in milliseconds. */
  @Prop({ type: Number, default: 0 }) elapsedMs!: number;
  /** Last moment at which a crawler instance was seen running. */
  @Prop({ type: Date, default: null }) lastActiveTime!: Date | null;
  @Prop({ type: Boolean, default: false }) storeSuspended!: boolean;
  @Prop({ type: Date, default: null }) finished!: Date | null;

  /** Failed evaluations in a row. Jobs that began before these were counted lack the field. */
  @Prop({ type: Number, default: 0 }) failures?: number;

  /** Starts in a row that ended because the proxy was not reached, and that added no page. */
  @Prop({ type: Number, default: 0 }) proxyFailures?: number;

  // Claims.

  /** When the next evaluation is due. */
  @Prop({ type: Date, required: true }) dueAt!: Date;
  /** When somebody last asked for an evaluation. */
  @Prop({ type: Date, default: null }) nudgedAt!: Date | null;
  /** End of the lease. Until then its holder owns the job. */
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
  @Prop({ type: String, default: null }) leaseId!: string | null;
}

export const CrawlJobSchema = SchemaFactory.createForClass(CrawlJob);
// Index for the claim of jobs that are due and not held, the longest due first.
CrawlJobSchema.index({ dueAt: 1, leaseUntil: 1 });
// Index for the pending sizes of an org's other jobs (seed §8). They are summed with each look at a job, from the index
// alone.
CrawlJobSchema.index({ oid: 1, active: 1, _id: 1, sizePending: 1 });
// Index for the check that a dedupe index is not in use. One in use cannot be deleted.
CrawlJobSchema.index({ dedupeCollId: 1 });
// Of two concurrent starts of one workflow, the second insert fails.
CrawlJobSchema.index({ cid: 1 }, { unique: true, partialFilterExpression: { active: true, kind: 'crawl' } });
// Of two concurrent QA runs of one crawl, the second insert fails.
CrawlJobSchema.index({ crawlId: 1 }, { unique: true, partialFilterExpression: { active: true, kind: 'qa' } });
// Index for all jobs of an item.
CrawlJobSchema.index({ crawlId: 1, active: 1 });

/** Files that runs are going to write. Their items record the files that they have written. */
export const RUN_FILES: FileFields = {
  kind: 'run',
  files: { $cond: ['$active', [{ filename: '$storageFilename', storage: '$storage' }], []] },
  isPlanned: true,
};
