import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { FREE_LEASE } from '../../database/leases.js';
import { storedIn } from '../../database/schema-options.js';

const { UUID, Mixed } = MongooseSchema.Types;

export interface JobAttempt {
  readonly started: Date;
  readonly finished: Date | null;
}

/** What the queue knows of a job; absent on rows of the reference, which are history. */
export interface JobPlan {
  /** When the job may run next. */
  readonly dueAt: Date;
  /** Claimed by a worker until then; renewed while it works. */
  readonly leaseUntil: Date;
  /** Runs begun in this attempt; one that a stopping process put back counts no more. */
  readonly tries: number;
  /** Runs that ended with their process: nobody renewed or gave back the lease. Absent where none did. */
  readonly deaths?: number;
  /** Asked for again while running: it runs once more before it ends. */
  readonly again: boolean;
}

/** Of a job that has not been begun, or is to begin anew with all its tries. */
export const newPlan = (dueAt: Date): JobPlan => ({ dueAt, leaseUntil: FREE_LEASE, tries: 0, again: false });

export interface JobLogLine {
  readonly at: Date;
  readonly message: string;
}

/** A background job. Contract: archive §10. */
@Schema(storedIn('jobs'))
export class Job {
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) type!: string;
  @Prop({ type: UUID, default: null }) oid!: string | null;
  /** Null while running. */
  @Prop({ type: Boolean, default: null }) success!: boolean | null;
  @Prop({ type: Date, required: true }) started!: Date;
  @Prop({ type: Date, default: null }) finished!: Date | null;
  /** Earlier failed attempts, oldest first. */
  @Prop({ type: [Mixed], default: null }) previousAttempts!: JobAttempt[] | null;

  // Fields of single types.
  @Prop({ type: String }) file_path?: string;
  @Prop({ type: String }) object_type?: string;
  @Prop({ type: String }) object_id?: string;
  @Prop({ type: Mixed }) replica_storage?: { name: string; custom: boolean };
  @Prop({ type: String }) schedule?: string | null;
  @Prop({ type: String }) crawl_type?: string | null;
  @Prop({ type: String }) crawl_id?: string | null;
  @Prop({ type: UUID }) collection_id?: string;

  // Additions of ours; in responses `error`, and `logs` with a single job.
  @Prop({ type: Mixed }) plan?: JobPlan | null;
  /** Reason of the last failed run. */
  @Prop({ type: String }) error?: string | null;
  @Prop({ type: [Mixed], default: undefined }) logs?: JobLogLine[];
}

export const JobSchema = SchemaFactory.createForClass(Job);
// An org's jobs in every order, by type and by outcome, and retries of the failed ones.
JobSchema.index({ oid: 1, started: 1, _id: 1 });
JobSchema.index({ oid: 1, finished: 1, _id: 1 });
JobSchema.index({ oid: 1, type: 1, started: 1, _id: 1 });
JobSchema.index({ oid: 1, type: 1, finished: 1, _id: 1 });
JobSchema.index({ oid: 1, success: 1, started: 1, _id: 1 });
JobSchema.index({ oid: 1, success: 1, finished: 1, _id: 1 });
// All orgs' jobs, for superusers.
JobSchema.index({ started: 1, _id: 1 });
JobSchema.index({ finished: 1, _id: 1 });
JobSchema.index({ type: 1, started: 1, _id: 1 });
JobSchema.index({ success: 1, started: 1, _id: 1 });
// Whether a collection's statistics are being computed.
JobSchema.index({ type: 1, collection_id: 1, finished: 1 });
// The worker's claim.
JobSchema.index(
  { 'plan.dueAt': 1, type: 1, 'plan.leaseUntil': 1 },
  { partialFilterExpression: { 'plan.dueAt': { $exists: true } } },
);
