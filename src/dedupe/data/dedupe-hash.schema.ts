import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { mongo, Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/**
 * One body that a collection's index knows: where its first capture is. There are millions of these, so names are one
 * letter, the org is that of the source, and there is no index but the one of the ids.
 */
@Schema(storedIn('dedupe_hashes'))
export class DedupeHash {
  /** Id of the collection, then the first 16 bytes of the body's SHA-256. */
  @Prop({ type: Buffer, required: true }) _id!: mongo.Binary;
  /** The source that the capture is in. An entry whose source is not live counts as absent. */
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true }) w!: mongo.ObjectId;
  /** Time of the capture, with milliseconds where they are known. */
  @Prop({ type: Date, required: true }) d!: Date;
  /** URL of the capture. */
  @Prop({ type: String, required: true }) u!: string;
  /**
   * The rest of the digest: crawlers in containers look for whole ones. Absent where only the first half was known.
   */
  @Prop({ type: Buffer, required: false }) r?: mongo.Binary;
  /** Bytes of its record. */
  @Prop({ type: Number, required: true }) s!: number;
}

export const DedupeHashSchema = SchemaFactory.createForClass(DedupeHash);
