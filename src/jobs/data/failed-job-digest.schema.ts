import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/** Jobs that failed since the last mail about failed jobs. There is at most one. */
@Schema(storedIn('failed_job_digests'))
export class FailedJobDigest {
  @Prop({ type: String, required: true }) _id!: string;
  /** When the first of these jobs failed. The first job has a mail of its own. */
  @Prop({ type: Date, required: true }) since!: Date;
  @Prop({ type: Number, required: true }) count!: number;
  /** The number of failed jobs of each type. */
  @Prop({ type: MongooseSchema.Types.Mixed }) types!: Record<string, number>;
  /** The ids of the latest failed jobs. */
  @Prop({ type: [String] }) jobIds!: string[];
}

export const FailedJobDigestSchema = SchemaFactory.createForClass(FailedJobDigest);
