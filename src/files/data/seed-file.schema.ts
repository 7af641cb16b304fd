import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';
import { FIXITY_MARK, type FixityMark } from '../../objects/data/fixity-mark.facts.js';
import { StoredStorageRef, StoredStorageRefSchema } from '../../objects/data/stored-file.schema.js';
import type { FileFields } from '../../objects/data/file-owner.js';

const { Mixed, UUID } = MongooseSchema.Types;

/** A text file of start URLs (crawling §3.9). */
@Schema(storedIn('file_uploads'))
export class SeedFile {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: String, default: 'seedFile' }) type!: string;
  /** Key in the object store. */
  @Prop({ type: String, required: true }) filename!: string;
  /** SHA-256, hex. */
  @Prop({ type: String, required: true }) hash!: string;
  /** Bytes. */
  @Prop({ type: Number, required: true }) size!: number;
  @Prop({ type: StoredStorageRefSchema, required: true }) storage!: StoredStorageRef;
  @Prop({ type: [StoredStorageRefSchema], default: [] }) replicas!: StoredStorageRef[];
  @Prop({ type: String, required: true }) originalFilename!: string;
  @Prop({ type: String, required: true }) mime!: string;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: String, required: true }) userName!: string;
  @Prop({ type: Date, required: true }) created!: Date;
  /** The first line that is a URL, as typed. */
  @Prop({ type: String, default: null }) firstSeed!: string | null;
  /** Number of decodable lines, blank ones too. */
  @Prop({ type: Number, default: null }) seedCount!: number | null;
  /** Additive: when a workflow last took the file as its source. */
  @Prop({ type: Date, default: null }) takenAt!: Date | null;
  @Prop({ type: Mixed, required: false, holds: FIXITY_MARK }) fixity?: FixityMark | null;
}

export const SeedFileSchema = SchemaFactory.createForClass(SeedFile);
SeedFileSchema.index({ oid: 'hashed' });
/** The orders that the list offers. */
export const SEED_FILE_ORDERS = ['created', 'size', 'mime', 'userName', 'type', 'firstSeed', 'seedCount'] as const;
for (const field of SEED_FILE_ORDERS) SeedFileSchema.index({ oid: 1, [field]: 1, _id: 1 });
// Serves the clean-up of unused files of all orgs.
SeedFileSchema.index({ type: 1, created: 1 });
// Serves the choice of files that were compared longest ago, of all orgs or of one.
SeedFileSchema.index({ 'fixity.lastVerified': 1, _id: 1 });
SeedFileSchema.index({ oid: 1, 'fixity.lastVerified': 1, _id: 1 });

/** File fields of a seed file, which is itself the record of its object. */
export const SEED_FILES: FileFields = { kind: 'seedFile', files: { $concatArrays: [['$$ROOT']] } };
