import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/** An import of an org that is not finished. */
@Schema(storedIn('org_imports'))
export class ImportMark {
  /** Id of the org. */
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  /** The import that holds the mark, so that one that was taken over notices. */
  @Prop({ type: String }) owner?: string | null;
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
}

export const ImportMarkSchema = SchemaFactory.createForClass(ImportMark);
// Imports whose process died.
ImportMarkSchema.index({ leaseUntil: 1 });
