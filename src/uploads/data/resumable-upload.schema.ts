import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { FAILING, type Failing } from '../../database/failing.js';
import { storedIn } from '../../database/schema-options.js';
import { StoredFile, StoredFileSchema } from '../../objects/data/stored-file.schema.js';
import { type FileFields, orEmpty } from '../../objects/data/file-owner.js';

const { UUID, Mixed } = MongooseSchema.Types;

/** The state of an upload by the tus protocol. */
@Schema(storedIn('resumable_uploads'))
export class ResumableUpload {
  /** The id; the item's is `upload-<id>`, unless the upload replaces another one. */
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: String, required: true }) userName!: string;
  /** `Upload-Metadata` as sent. */
  @Prop({ type: Mixed, required: true }) metadata!: Record<string, string | null>;
  /** Announced size, bytes. */
  @Prop({ type: Number, required: true }) size!: number;
  /** Stored size, bytes: the sum of the pieces. */
  @Prop({ type: Number, required: true }) offset!: number;
  @Prop({ type: [StoredFileSchema], default: [] }) pieces!: StoredFile[];
  /** Id of the item made from the upload. The pieces belong to the item then. */
  @Prop({ type: String, default: null }) itemId!: string | null;
  @Prop({ type: Date, required: true }) expires!: Date;
  /** The lock of the request that is writing, and the time until which it counts as alive. */
  @Prop({ type: String, default: null }) lockOwner!: string | null;
  @Prop({ type: Date, default: null }) lockedUntil!: Date | null;
  /** True when another request waits for the lock. */
  @Prop({ type: Boolean, default: false }) isLockWanted!: boolean;
  /** Failures to delete the upload after it expired. */
  @Prop({ type: Mixed, required: false, holds: FAILING }) failing?: Failing | null;
}

export const ResumableUploadSchema = SchemaFactory.createForClass(ResumableUpload);
// Serves the sweep of expired uploads.
ResumableUploadSchema.index({ expires: 1 });
// Serves the deletion of an org and the count of its open uploads.
ResumableUploadSchema.index({ oid: 1, itemId: 1 });

export const UPLOAD_PIECES: FileFields = { kind: 'resumableUpload', files: orEmpty('$pieces') };
