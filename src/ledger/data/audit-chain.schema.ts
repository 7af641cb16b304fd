import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { documentOf, MOMENT, TEXT } from '../../database/described.js';
import { storedIn } from '../../database/schema-options.js';
import { oneOrNone, type FileFields } from '../../objects/data/file-owner.js';
import { StoredFileSchema, type StoredFile } from '../../objects/data/stored-file.schema.js';
import type { AuditCheckpoint } from './chain.facts.js';

const { Mixed, UUID } = MongooseSchema.Types;

const CHECKPOINT = documentOf({ day: TEXT, digest: TEXT, cutAt: MOMENT, keyId: TEXT, signature: TEXT });

/** The chain of an org's closed days: where it ends, where it was cut, and who works on it. */
@Schema(storedIn('audit_chains'))
export class AuditChain {
  /** The org's id, or `system` for the entries that belong to none. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: UUID, default: null }) oid!: string | null;
  /** The last closed day; null before the first. */
  @Prop({ type: String, default: null }) day!: string | null;
  /** Its digest. */
  @Prop({ type: String, required: true }) digest!: string;
  /** The end of what retention has cut; null: nothing yet. */
  @Prop({ type: Mixed, default: null, holds: CHECKPOINT }) checkpoint!: AuditCheckpoint | null;
  /** The file that is being written. Its object may be there or not. */
  @Prop({ type: StoredFileSchema, default: null }) writing!: StoredFile | null;
  @Prop({ type: Date, required: true }) dueAt!: Date;
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
  @Prop({ type: String, default: null }) holder!: string | null;
}

export const AuditChainSchema = SchemaFactory.createForClass(AuditChain);
// Serves the claim of what is due.
AuditChainSchema.index({ dueAt: 1, leaseUntil: 1 });

export const AUDIT_FILES_BEING_WRITTEN: FileFields = {
  kind: 'auditChain',
  files: oneOrNone('$writing'),
  isPlanned: true,
};
