import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type mongo } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/** A recorded fact with the listeners that have not yet handled it; deleted when there are none left. */
@Schema(storedIn('domain_events'))
export class StoredEvent {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  @Prop({ type: String, required: true }) type!: string;
  @Prop({ type: MongooseSchema.Types.Mixed, required: true }) payload!: unknown;
  @Prop({ type: Date, required: true }) created!: Date;
  /** Given by the database when the fact is stored; see `orderOf`. */
  @Prop({ type: MongooseSchema.Types.Mixed }) order?: mongo.Timestamp;
  /** Names of the listeners still to call. */
  @Prop({ type: [String], required: true }) pending!: string[];
  /** Whoever claimed the event owns it until then. */
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
  @Prop({ type: Number, required: true }) attempts!: number;
  /** What the fact is about, e.g. the item; facts of one subject can be told in their order. */
  @Prop({ type: String, default: null }) subject!: string | null;
}

export const StoredEventSchema = SchemaFactory.createForClass(StoredEvent);
// Serves the recovery claim: the events whose lease has run out, oldest first.
StoredEventSchema.index({ leaseUntil: 1 });
// Earlier facts of the same subject that a listener has not been told yet.
StoredEventSchema.index({ subject: 1, order: 1 });
