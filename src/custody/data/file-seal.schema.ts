import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { documentOf, MOMENT, TEXT } from '../../database/described.js';
import { storedIn } from '../../database/schema-options.js';
import type { SignedData } from '../../../formats/wacz/signed-data.js';

const { Mixed, UUID } = MongooseSchema.Types;

/** A time stamp by RFC 3161 of the text of a signature. */
export interface StoredTimeStamp {
  /** Base64 of the token's DER. */
  readonly token: string;
  readonly time: Date;
  /** Name in the authority's certificate. */
  readonly authority: string | null;
}

const SIGNED_DATA = documentOf({ hash: TEXT, created: TEXT, software: TEXT, signature: TEXT, publicKey: TEXT });
const TIME_STAMP = documentOf({ token: TEXT, time: MOMENT, authority: TEXT });

/**
 * What proves a file beside the file itself: the signature of one that was packed while nobody could sign, and a time
 * stamp. The file's bytes, and so its hash, stay as they are.
 */
@Schema(storedIn('file_seals'))
export class FileSeal {
  /** `<id of the item>/<name of the object>` */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: String, required: true }) itemId!: string;
  /** Name of the object, as the item's record has it. */
  @Prop({ type: String, required: true }) filename!: string;
  /** Signature of the hash of the whole file; null when the package is signed itself, or nobody has signed yet. */
  @Prop({ type: Mixed, default: null, holds: SIGNED_DATA }) signedData!: SignedData | null;
  @Prop({ type: Mixed, default: null, holds: TIME_STAMP }) timeStamp!: StoredTimeStamp | null;
  @Prop({ type: Number, default: 0 }) attempts!: number;
  /** Why the last try failed, in words. */
  @Prop({ type: String, default: null }) problem!: string | null;
  /** When the work is tried next; far away when it is done. */
  @Prop({ type: Date, required: true }) dueAt!: Date;
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
}

export const FileSealSchema = SchemaFactory.createForClass(FileSeal);
// Serves the claim of what is due.
FileSealSchema.index({ dueAt: 1, leaseUntil: 1 });
// Serves the seals of an item, and their deletion with the item or the org.
FileSealSchema.index({ oid: 1, itemId: 1 });
