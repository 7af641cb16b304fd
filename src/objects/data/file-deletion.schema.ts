import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';
import { StoredFile, StoredFileSchema } from './stored-file.schema.js';

/** Objects that no document refers to any more and that are still to be deleted; gone when they are. */
@Schema(storedIn('file_deletions'))
export class FileDeletion {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) oid!: string;
  @Prop({ type: [StoredFileSchema], required: true }) files!: StoredFile[];
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: Number, default: 0 }) attempts!: number;
  /** Whoever claimed it owns it until then. */
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
}

export const FileDeletionSchema = SchemaFactory.createForClass(FileDeletion);
// Serves the claim of what a dead process or a store that was down left behind.
FileDeletionSchema.index({ leaseUntil: 1 });
// Whether an object that no document refers to is on its way.
FileDeletionSchema.index({ 'files.filename': 1 });
