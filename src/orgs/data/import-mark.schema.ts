import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/** An unfinished import of an org. */
@Schema(storedIn('org_imports'))
export class ImportMark {
  /** Id of the org. */
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  /** The import that holds the mark. An import whose mark was taken over notices by this field. */
  @Prop({ type: String }) owner?: string | null;
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
}

export const ImportMarkSchema = SchemaFactory.createForClass(ImportMark);
// Serves the imports whose process died.
ImportMarkSchema.index({ leaseUntil: 1 });
