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

/** A storage named in a document; the shape of `StorageRef`. */
@Schema({ _id: false })
export class StoredStorageRef {
  @Prop({ type: String, required: true }) name!: string;
  @Prop({ type: Boolean, default: false }) custom!: boolean;
}
export const StoredStorageRefSchema = SchemaFactory.createForClass(StoredStorageRef);

/** One object in a store that belongs to a document. Contract: crawling §3.4. */
@Schema({ _id: false })
export class StoredFile {
  /** Key relative to the storage endpoint, e.g. `<oid>/20261121054310123-0e138ad6-b8c-0.wacz`. */
  @Prop({ type: String, required: true }) filename!: string;
  /** SHA-256, hex. */
  @Prop({ type: String, default: '' }) hash!: string;
  /** Bytes. */
  @Prop({ type: Number, default: 0 }) size!: number;
  @Prop({ type: StoredStorageRefSchema, required: true }) storage!: StoredStorageRef;
  /** Unsigned CRC-32; ours: lets a combined download be resumed. Absent from files of the reference. */
  @Prop({ type: Number, required: false }) crc32?: number | null;
  /** What the client called an uploaded file; ours, absent from all others. */
  @Prop({ type: String, required: false }) originalFilename?: string | null;
  /** How an uploaded WACZ was checked. The reference has no such field. */
  @Prop({ type: MongooseSchema.Types.Mixed, required: false, holds: PACKAGE_CHECK })
  verification?: PackageCheck | null;
  /** Part of a resumable upload that is still to be put together with the files beside it; ours. */
  @Prop({ type: Boolean, required: false }) isPiece?: boolean | null;
  /** Storages that hold a copy. */
  @Prop({ type: [StoredStorageRefSchema], default: [] }) replicas!: StoredStorageRef[];
}
export const StoredFileSchema = SchemaFactory.createForClass(StoredFile);
