import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

export const SUBSCRIPTION_EVENT_TYPES = ['create', 'import', 'update', 'cancel', 'add-minutes'] as const;
export type SubscriptionEventType = (typeof SUBSCRIPTION_EVENT_TYPES)[number];

/** A call of the billing service that took effect, as sent. Contract: accounts §12, §15.2. */
@Schema(storedIn('subscriptions'))
export class SubscriptionEvent {
  @Prop({ type: MongooseSchema.Types.ObjectId, auto: true }) _id?: unknown;
  @Prop({ type: String, required: true }) type!: SubscriptionEventType;
  @Prop({ type: Date, required: true }) timestamp!: Date;
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) oid!: string;
  @Prop({ type: String }) subId?: string;
  @Prop({ type: String }) status?: string;
  @Prop({ type: String }) planId?: string;
  @Prop({ type: String }) firstAdminInviteEmail?: string;
  @Prop({ type: MongooseSchema.Types.Mixed }) quotas?: Record<string, number | null> | null;
  @Prop({ type: Date }) futureCancelDate?: Date | null;
  @Prop({ type: Number }) minutes?: number;
  @Prop({ type: Number }) totalPrice?: number;
  @Prop({ type: String }) currency?: string;
  @Prop({ type: String }) paymentId?: string;
}

export const SubscriptionEventSchema = SchemaFactory.createForClass(SubscriptionEvent);
// Serves the list of events of one org or all, in order of time.
SubscriptionEventSchema.index({ oid: 1, timestamp: 1 });
SubscriptionEventSchema.index({ timestamp: 1, _id: 1 });
// Serves the history of one subscription.
SubscriptionEventSchema.index({ subId: 1 });
