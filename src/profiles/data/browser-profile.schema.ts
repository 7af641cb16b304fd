import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { IGNORE_CASE_AND_ACCENTS } from '../../database/org-scoped.js';
import { storedIn } from '../../database/schema-options.js';
import { FIXITY_MARK, type FixityMark } from '../../objects/data/fixity-mark.facts.js';
import { StoredFile, StoredFileSchema } from '../../objects/data/stored-file.schema.js';
import { type FileFields, oneOrNone } from '../../objects/data/file-owner.js';

const { Mixed, UUID } = MongooseSchema.Types;

/** A saved browser state that crawls start from (archive §8, §14.4). */
@Schema(storedIn('profiles'))
export class BrowserProfile {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: String, required: true }) name!: string;
  @Prop({ type: String, default: '' }) description!: string | null;
  @Prop({ type: UUID, required: true }) userid!: string;
  /** `scheme://host[:port]/` of the pages that were visited. */
  @Prop({ type: [String], default: [] }) origins!: string[];
  /** Its file; null: none, the profile can't be used. */
  @Prop({ type: StoredFileSchema, default: null }) resource!: StoredFile | null;
  @Prop({ type: Date, default: null }) created!: Date | null;
  @Prop({ type: UUID, default: null }) createdBy!: string | null;
  @Prop({ type: String, default: null }) createdByName!: string | null;
  @Prop({ type: Date, default: null }) modified!: Date | null;
  @Prop({ type: UUID, default: null }) modifiedBy!: string | null;
  @Prop({ type: String, default: null }) modifiedByName!: string | null;
  /** When a crawl last saved it. */
  @Prop({ type: Date, default: null }) modifiedCrawlDate!: Date | null;
  @Prop({ type: String, default: null }) modifiedCrawlId!: string | null;
  @Prop({ type: UUID, default: null }) modifiedCrawlCid!: string | null;
  /** Profile its browser was launched from. */
  @Prop({ type: UUID, default: null }) baseid!: string | null;
  @Prop({ type: String, default: null }) crawlerChannel!: string | null;
  @Prop({ type: String, default: null }) proxyId!: string | null;
  @Prop({ type: [String], default: [] }) tags!: string[];
  /** Additive: browser the present file was committed from, so that a repeated commit is answered and not done again. */
  @Prop({ type: String, default: null }) committedFrom!: string | null;
  @Prop({ type: Mixed, required: false, holds: FIXITY_MARK }) fixity?: FixityMark | null;
}

export const BrowserProfileSchema = SchemaFactory.createForClass(BrowserProfile);
// The reference's own indexes, so that its databases open unchanged.
BrowserProfileSchema.index({ oid: 1, name: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
BrowserProfileSchema.index({ oid: 1, url: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
BrowserProfileSchema.index({ oid: 1, created: 1 });
BrowserProfileSchema.index({ oid: 1, modified: 1 });
/** Name of the index of the lists' order that begins with this field; the collation is that of the lists. */
export const orderIndex = (field: string): string => `oid_1_${field}_ci`;
// The URL of a profile is its first origin.
for (const field of ['modified', 'created', 'name', 'origins.0']) {
  const options = { name: orderIndex(field), collation: IGNORE_CASE_AND_ACCENTS };
  BrowserProfileSchema.index({ oid: 1, [field]: 1, _id: 1 }, options);
}
// A repeated commit finds the profile it made.
BrowserProfileSchema.index({ oid: 1, committedFrom: 1 });
// Profiles whose file was compared longest ago: of all orgs, and of one.
BrowserProfileSchema.index({ 'fixity.lastVerified': 1, _id: 1 });
BrowserProfileSchema.index({ oid: 1, 'fixity.lastVerified': 1, _id: 1 });

/** A commit, or a crawl that saves its profile, writes the object anew. */
export const PROFILE_FILES: FileFields = {
  kind: 'profile',
  files: oneOrNone('$resource'),
  copied: { field: 'resource', isList: false },
  withFiles: { resource: { $ne: null } },
  isWrittenOver: true,
};
