import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { FREE_LEASE } from '../../database/leases.js';
import { storedIn } from '../../database/schema-options.js';

/** One POST to the receiver and what came of it. */
export interface DeliveryTry {
  readonly at: Date;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  readonly latencyMs: number;
  /** First 1,000 characters of the answer, or of the reason for its absence. */
  readonly answer: string;
}

/** The delivery state of a notification. Records of the reference have none and are never sent again automatically. */
export interface DeliveryPlan {
  /** When the next try is due. */
  readonly dueAt: Date;
  /** Tries made in this overall attempt, 0..5. */
  readonly tries: number;
  /** Whether this overall attempt was counted in `attempts`. */
  readonly counted: boolean;
  /** Claimed by a worker until then; renewed while it works. */
  readonly leaseUntil: Date;
  /** The claim that the lease belongs to; null while nobody has claimed it. */
  readonly claim: string | null;
  /** Host of the receiver when the notification was planned; bounds concurrency per host. */
  readonly host: string;
  /** Notifications with the same item and host have the same key. They are sent in the order of `seq`. */
  readonly orderKey: string;
  /** Position of the fact among all facts; for a retry, the position of the moment of its request. See `orderOf`. */
  readonly seq: number;
}

/** The lease fields of a plan that nobody has claimed. */
export const UNCLAIMED = { leaseUntil: FREE_LEASE, claim: null };

/** The JSON that is posted. Each event adds fields of its own. */
export interface NotificationBody {
  readonly orgId: string;
  readonly event: string;
  readonly itemId?: string;
  readonly qaRunId?: string;
  readonly collectionId?: string;
}

/** A stored webhook notification. Contract: archive §11. */
@Schema(storedIn('webhooks'))
export class Notification {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  @Prop({ type: String, required: true }) event!: string;
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) oid!: string;
  @Prop({ type: MongooseSchema.Types.Mixed, required: true }) body!: NotificationBody;
  @Prop({ type: Boolean, required: true, default: false }) success!: boolean;
  /** Overall attempts, each of up to five tries. */
  @Prop({ type: Number, required: true, default: 0 }) attempts!: number;
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: Date, default: null }) lastAttempted!: Date | null;
  /** Position of the fact among all facts; absent on records of the reference. */
  @Prop({ type: Number }) seq?: number;
  /** Null when there is nothing left to send. */
  @Prop({ type: MongooseSchema.Types.Mixed, default: null }) plan?: DeliveryPlan | null;
  /** True while the notification waits for its paused endpoint to be resumed. */
  @Prop({ type: Boolean }) held?: boolean;
  /** The latest tries, oldest first. */
  @Prop({ type: [MongooseSchema.Types.Mixed], default: undefined }) tries?: DeliveryTry[];
}

export const NotificationSchema = SchemaFactory.createForClass(Notification);
// Serves lists with every filter and sort. Without a `success` filter, the scans of its two values are merged.
NotificationSchema.index({ oid: 1, success: 1, created: 1, _id: 1 });
NotificationSchema.index({ oid: 1, success: 1, attempts: 1, _id: 1 });
NotificationSchema.index({ oid: 1, success: 1, lastAttempted: 1, _id: 1 });
NotificationSchema.index({ oid: 1, event: 1, success: 1, created: 1, _id: 1 });
NotificationSchema.index({ oid: 1, event: 1, success: 1, attempts: 1, _id: 1 });
NotificationSchema.index({ oid: 1, event: 1, success: 1, lastAttempted: 1, _id: 1 });
// Serves the question whether an item has this event's notification already.
NotificationSchema.index({ event: 1, 'body.itemId': 1 });
// Serves the delivery worker's claim. It contains host and org to skip a dead host's backlog inside the index.
NotificationSchema.index(
  { 'plan.dueAt': 1, 'plan.host': 1, oid: 1, 'plan.leaseUntil': 1 },
  { partialFilterExpression: { 'plan.dueAt': { $exists: true } } },
);
// Serves the search for earlier notifications of an item.
NotificationSchema.index(
  { 'plan.orderKey': 1, 'plan.seq': 1 },
  { partialFilterExpression: { 'plan.orderKey': { $exists: true } } },
);
// Serves the release of notifications held for a paused endpoint.
NotificationSchema.index({ oid: 1, event: 1, held: 1 }, { partialFilterExpression: { held: true } });
