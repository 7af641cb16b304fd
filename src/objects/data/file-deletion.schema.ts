import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';
import { StoredFile, StoredFileSchema } from './stored-file.schema.js';

/** The plan to delete objects that no document refers to any more. It is removed once the objects are deleted. */
@Schema(storedIn('file_deletions'))
export class FileDeletion {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) oid!: string;
  @Prop({ type: [StoredFileSchema], required: true }) files!: StoredFile[];
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: Number, default: 0 }) attempts!: number;
  /** Until this moment the plan belongs to the process that claimed it. */
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
}

export const FileDeletionSchema = SchemaFactory.createForClass(FileDeletion);
// Serves the claim of plans left by a process that died or by a store that was down.
FileDeletionSchema.index({ leaseUntil: 1 });
// Serves the question whether an object that no document refers to is planned for deletion.
FileDeletionSchema.index({ 'files.filename': 1 });
