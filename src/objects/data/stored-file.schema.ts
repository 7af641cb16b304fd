import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import type { PackageCheck } from '../../common/package-check.js';
import { documentOf, listOf, TEXT, YES_OR_NO } from '../../database/described.js';

const PACKAGE_CHECK = documentOf(
  {
    intact: YES_OR_NO,
    problems: listOf(TEXT),
    signature: documentOf({ valid: YES_OR_NO, domain: TEXT, publicKey: TEXT, created: TEXT, software: TEXT }, [
      'valid',
    ]),
  },
  ['problems'],
);

/** A storage that a document names, in the shape of `StorageRef`. */
@Schema({ _id: false })
export class StoredStorageRef {
  @Prop({ type: String, required: true }) name!: string;
  @Prop({ type: Boolean, default: false }) custom!: boolean;
}
export const StoredStorageRefSchema = SchemaFactory.createForClass(StoredStorageRef);

/** One stored object that belongs to a document. Contract: crawling §3.4. */
@Schema({ _id: false })
export class StoredFile {
  /** Key relative to the storage endpoint, e.g. `<oid>/20261121054310123-0e138ad6-b8c-0.wacz`. */
  @Prop({ type: String, required: true }) filename!: string;
  /** SHA-256 in hex, or empty when it is not known. */
  @Prop({ type: String, default: '' }) hash!: string;
  /** Bytes. */
  @Prop({ type: Number, default: 0 }) size!: number;
  @Prop({ type: StoredStorageRefSchema, required: true }) storage!: StoredStorageRef;
  /**
   * Unsigned CRC-32, by which a combined download can be resumed. This field is ours; files of the reference lack it.
   */
  @Prop({ type: Number, required: false }) crc32?: number | null;
  /** The client's name of an uploaded file. This field is ours; all other files lack it. */
  @Prop({ type: String, required: false }) originalFilename?: string | null;
  /** The result of checking an uploaded WACZ. The reference has no such field. */
  @Prop({ type: MongooseSchema.Types.Mixed, required: false, holds: PACKAGE_CHECK })
  verification?: PackageCheck | null;
  /** Whether this is a piece of a resumable upload, still to be joined with the files beside it. This field is ours. */
  @Prop({ type: Boolean, required: false }) isPiece?: boolean | null;
  /** Storages that hold a copy. */
  @Prop({ type: [StoredStorageRefSchema], default: [] }) replicas!: StoredStorageRef[];
}
export const StoredFileSchema = SchemaFactory.createForClass(StoredFile);
