import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { FREE_LEASE } from '../../database/leases.js';
import { storedIn } from '../../database/schema-options.js';

const { UUID, Mixed } = MongooseSchema.Types;

export interface JobAttempt {
  readonly started: Date;
  readonly finished: Date | null;
}

/** What the queue stores of a job. Rows of the reference have none; they are history. */
export interface JobPlan {
  /** When the job may run next. */
  readonly dueAt: Date;
  /** End of the worker's lease, which is renewed while the worker runs the job. */
  readonly leaseUntil: Date;
  /** Runs begun in this attempt. A run that a stopping process put back does not count. */
  readonly tries: number;
  /**
   * Runs that ended with their process, so that nobody renewed or gave back the lease. Absent where there were none.
   */
  readonly deaths?: number;
  /** The job was asked for again while it ran, so it runs once more before it ends. */
  readonly again: boolean;
}

/** The plan of a job that has not begun, or that begins anew with all its tries. */
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
  /** The outcome; null while the job is under way. */
  @Prop({ type: Boolean, default: null }) success!: boolean | null;
  @Prop({ type: Date, required: true }) started!: Date;
  @Prop({ type: Date, default: null }) finished!: Date | null;
  /** Earlier failed attempts, oldest first. */
  @Prop({ type: [Mixed], default: null }) previousAttempts!: JobAttempt[] | null;

  // Fields that only some types have.
  @Prop({ type: String }) file_path?: string;
  @Prop({ type: String }) object_type?: string;
  @Prop({ type: String }) object_id?: string;
  @Prop({ type: Mixed }) replica_storage?: { name: string; custom: boolean };
  @Prop({ type: String }) schedule?: string | null;
  @Prop({ type: String }) crawl_type?: string | null;
  @Prop({ type: String }) crawl_id?: string | null;
  @Prop({ type: UUID }) collection_id?: string;

  // Fields that the contract does not have. Responses show `error`, and `logs` with a single job.
  @Prop({ type: Mixed }) plan?: JobPlan | null;
  /** Reason why the last run failed. */
  @Prop({ type: String }) error?: string | null;
  @Prop({ type: [Mixed], default: undefined }) logs?: JobLogLine[];
}

export const JobSchema = SchemaFactory.createForClass(Job);
// Indexes for an org's jobs in every order, by type and by outcome, and for retries of the failed ones.
JobSchema.index({ oid: 1, started: 1, _id: 1 });
JobSchema.index({ oid: 1, finished: 1, _id: 1 });
JobSchema.index({ oid: 1, type: 1, started: 1, _id: 1 });
JobSchema.index({ oid: 1, type: 1, finished: 1, _id: 1 });
JobSchema.index({ oid: 1, success: 1, started: 1, _id: 1 });
JobSchema.index({ oid: 1, success: 1, finished: 1, _id: 1 });
// Indexes for all orgs' jobs, which superusers list.
JobSchema.index({ started: 1, _id: 1 });
JobSchema.index({ finished: 1, _id: 1 });
JobSchema.index({ type: 1, started: 1, _id: 1 });
JobSchema.index({ success: 1, started: 1, _id: 1 });
// Index for the question whether a collection's statistics are being computed.
JobSchema.index({ type: 1, collection_id: 1, finished: 1 });
// Index for the worker's claim.
JobSchema.index(
  { 'plan.dueAt': 1, type: 1, 'plan.leaseUntil': 1 },
  { partialFilterExpression: { 'plan.dueAt': { $exists: true } } },
);
