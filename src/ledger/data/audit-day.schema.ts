import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';
import { oneOrNone, type FileFields } from '../../objects/data/file-owner.js';
import { StoredFileSchema, type StoredFile } from '../../objects/data/stored-file.schema.js';

const { UUID } = MongooseSchema.Types;

/** A closed day of the audit log: its lines are in a file, whose digest is chained to the day before. ADR 0054. */
@Schema(storedIn('audit_days'))
export class AuditDay {
  @Prop({ type: UUID, required: true }) _id!: string;
  /** The org; null for the entries that belong to none. */
  @Prop({ type: UUID, default: null }) oid!: string | null;
  /** The UTC day, `2026-11-25`. */
  @Prop({ type: String, required: true }) day!: string;
  /** Number of lines. */
  @Prop({ type: Number, required: true }) count!: number;
  /** Digest of the closed day before; 64 zeros for the first. */
  @Prop({ type: String, required: true }) previous!: string;
  /** SHA-256 of `previous`, `day`, `count` and the file's SHA-256, each with a line end. */
  @Prop({ type: String, required: true }) digest!: string;
  @Prop({ type: StoredFileSchema, required: true }) file!: StoredFile;
  @Prop({ type: Date, required: true }) closed!: Date;
}

export const AuditDaySchema = SchemaFactory.createForClass(AuditDay);
// Lets a day be closed once, and serves the list of days, their check and their cut.
AuditDaySchema.index({ oid: 1, day: 1 }, { unique: true });

/** Copies and repeated comparisons are the check's: it reads these files line by line. */
export const AUDIT_DAY_FILES: FileFields = { kind: 'auditDay', files: oneOrNone('$file') };
