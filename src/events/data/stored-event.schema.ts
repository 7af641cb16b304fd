import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type mongo } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/** A recorded fact with the listeners that have not handled it. It is deleted when none are left. */
@Schema(storedIn('domain_events'))
export class StoredEvent {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  @Prop({ type: String, required: true }) type!: string;
  @Prop({ type: MongooseSchema.Types.Mixed, required: true }) payload!: unknown;
  @Prop({ type: Date, required: true }) created!: Date;
  /** Order from the database when the fact is stored; see `orderOf`. */
  @Prop({ type: MongooseSchema.Types.Mixed }) order?: mongo.Timestamp;
  /** Names of the listeners that are still to be called. */
  @Prop({ type: [String], required: true }) pending!: string[];
  /** Time until which the event belongs to its claimer. */
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
  @Prop({ type: Number, required: true }) attempts!: number;
  /** The subject of the fact, e.g. the item. Facts of one subject can be told in order. */
  @Prop({ type: String, default: null }) subject!: string | null;
}

export const StoredEventSchema = SchemaFactory.createForClass(StoredEvent);
// Serves the recovery claim: events whose lease has ended, oldest first.
StoredEventSchema.index({ leaseUntil: 1 });
// Serves the search for earlier facts of a subject that a listener has not been told.
StoredEventSchema.index({ subject: 1, order: 1 });
