import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { mongo, Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

const { ObjectId, UUID } = MongooseSchema.Types;

/**
 * `live`: look-ups answer from it. `removed`: its item has left the collection or is gone; it is still counted. `purged`:
 * it is forgotten, and its document goes with its entries.
 */
export const SOURCE_STATES = ['live', 'removed', 'purged'] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

/** What the import of one WACZ found. */
export interface SourceFigures {
  /** Captures of http and https. */
  readonly totalUrls: number;
  /** Those that refer to an earlier capture. */
  readonly dupeUrls: number;
  /** Bytes that they saved. */
  readonly conservedSize: number;
  /** Bodies that the index has from this WACZ. */
  readonly uniqueHashes: number;
  /** Bytes of bodies captured whole although the index had them. */
  readonly redundantSize: number;
}

/** One WACZ of an item in the index of one collection. A WACZ that comes back after a removal is a new source. */
@Schema(storedIn('dedupe_sources'))
export class DedupeSource implements SourceFigures {
  @Prop({ type: ObjectId, required: true }) _id!: mongo.ObjectId;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: UUID, required: true }) collectionId!: string;
  @Prop({ type: String, required: true }) itemId!: string;
  /** Key of the WACZ in its storage. */
  @Prop({ type: String, required: true }) filename!: string;
  /** Bytes of the WACZ. */
  @Prop({ type: Number, required: true }) size!: number;
  @Prop({ type: String, required: true }) state!: SourceState;
  /** When the import was complete; null: it is not. */
  @Prop({ type: Date, default: null }) imported!: Date | null;
  /** Whether the entries of a source that is not live are deleted. */
  @Prop({ type: Boolean, default: false }) swept!: boolean;
  @Prop({ type: Number, default: 0 }) totalUrls!: number;
  @Prop({ type: Number, default: 0 }) dupeUrls!: number;
  @Prop({ type: Number, default: 0 }) conservedSize!: number;
  @Prop({ type: Number, default: 0 }) uniqueHashes!: number;
  @Prop({ type: Number, default: 0 }) redundantSize!: number;
}

export const DedupeSourceSchema = SchemaFactory.createForClass(DedupeSource);
// Serves the sources of a collection, and of items in it.
DedupeSourceSchema.index({ oid: 1, collectionId: 1, itemId: 1 });
// Of two processes that begin the import of one WACZ, the second finds the source of the first.
DedupeSourceSchema.index(
  { collectionId: 1, itemId: 1, filename: 1 },
  { unique: true, partialFilterExpression: { state: 'live' } },
);
