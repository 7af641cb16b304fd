import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { FAILING, type Failing } from '../../database/failing.js';
import { storedIn } from '../../database/schema-options.js';
import { StoredFile, StoredFileSchema } from '../../objects/data/stored-file.schema.js';
import { type FileFields, orEmpty } from '../../objects/data/file-owner.js';

const { UUID, Mixed } = MongooseSchema.Types;

/** An upload by the tus protocol: what has come of it so far. */
@Schema(storedIn('resumable_uploads'))
export class ResumableUpload {
  /** Also the item's: `upload-<id>`, unless it takes another one's place. */
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: String, required: true }) userName!: string;
  /** `Upload-Metadata` as it was sent. */
  @Prop({ type: Mixed, required: true }) metadata!: Record<string, string | null>;
  /** Bytes announced. */
  @Prop({ type: Number, required: true }) size!: number;
  /** Bytes that are stored: the sum of the pieces. */
  @Prop({ type: Number, required: true }) offset!: number;
  @Prop({ type: [StoredFileSchema], default: [] }) pieces!: StoredFile[];
  /** The item that was made of it; the pieces are the item's then. */
  @Prop({ type: String, default: null }) itemId!: string | null;
  @Prop({ type: Date, required: true }) expires!: Date;
  /** The request that writes to it, and until when it may be thought alive. */
  @Prop({ type: String, default: null }) lockOwner!: string | null;
  @Prop({ type: Date, default: null }) lockedUntil!: Date | null;
  /** Another request waits for the lock. */
  @Prop({ type: Boolean, default: false }) isLockWanted!: boolean;
  /** Failures of its deletion after it expired. */
  @Prop({ type: Mixed, required: false, holds: FAILING }) failing?: Failing | null;
}

export const ResumableUploadSchema = SchemaFactory.createForClass(ResumableUpload);
// Serves the sweep of what nobody goes on with.
ResumableUploadSchema.index({ expires: 1 });
// Serves the deletion of an org, and the count of what it has open.
ResumableUploadSchema.index({ oid: 1, itemId: 1 });

export const UPLOAD_PIECES: FileFields = { kind: 'resumableUpload', files: orEmpty('$pieces') };
