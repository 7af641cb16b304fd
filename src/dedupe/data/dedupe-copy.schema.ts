import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

const { UUID } = MongooseSchema.Types;

/**
 * The copy of a dedupe index that the crawlers of one crawl read by themselves is to be filled, and then to follow the
 * index until the crawl has ended. What is in the copy only the copy says, since it may lose its data.
 */
@Schema(storedIn('dedupe_copies'))
export class DedupeCopy {
  /** Id of the crawl. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: UUID, required: true }) collectionId!: string;
  /** Whether it was filled once, so that the crawl may start. */
  @Prop({ type: Boolean, required: true }) ready!: boolean;
  /** When it is compared with the index next. */
  @Prop({ type: Date, required: true }) dueAt!: Date;
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
}

export const DedupeCopySchema = SchemaFactory.createForClass(DedupeCopy);
// Serves the claim of what is due.
DedupeCopySchema.index({ dueAt: 1, leaseUntil: 1 });
// Serves the copies of an index that has changed, and their deletion with the org.
DedupeCopySchema.index({ oid: 1, collectionId: 1 });
