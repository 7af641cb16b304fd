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
  /** `scheme://host[:port]/` of the visited pages. */
  @Prop({ type: [String], default: [] }) origins!: string[];
  /** The profile's file; null: none, so the profile can't be used. */
  @Prop({ type: StoredFileSchema, default: null }) resource!: StoredFile | null;
  @Prop({ type: Date, default: null }) created!: Date | null;
  @Prop({ type: UUID, default: null }) createdBy!: string | null;
  @Prop({ type: String, default: null }) createdByName!: string | null;
  @Prop({ type: Date, default: null }) modified!: Date | null;
  @Prop({ type: UUID, default: null }) modifiedBy!: string | null;
  @Prop({ type: String, default: null }) modifiedByName!: string | null;
  /** Time when a crawl last saved it. */
  @Prop({ type: Date, default: null }) modifiedCrawlDate!: Date | null;
  @Prop({ type: String, default: null }) modifiedCrawlId!: string | null;
  @Prop({ type: UUID, default: null }) modifiedCrawlCid!: string | null;
  /** Id of the profile from which its browser was launched. */
  @Prop({ type: UUID, default: null }) baseid!: string | null;
  @Prop({ type: String, default: null }) crawlerChannel!: string | null;
  @Prop({ type: String, default: null }) proxyId!: string | null;
  @Prop({ type: [String], default: [] }) tags!: string[];
  /** Additive: the browser that the file was committed from. A repeated commit is answered, not done again. */
  @Prop({ type: String, default: null }) committedFrom!: string | null;
  @Prop({ type: Mixed, required: false, holds: FIXITY_MARK }) fixity?: FixityMark | null;
}

export const BrowserProfileSchema = SchemaFactory.createForClass(BrowserProfile);
// The reference's indexes, so that its databases open unchanged.
BrowserProfileSchema.index({ oid: 1, name: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
BrowserProfileSchema.index({ oid: 1, url: 1 }, { collation: IGNORE_CASE_AND_ACCENTS });
BrowserProfileSchema.index({ oid: 1, created: 1 });
BrowserProfileSchema.index({ oid: 1, modified: 1 });
/** Name of the index of the list order that begins with this field; it has the collation of the lists. */
export const orderIndex = (field: string): string => `oid_1_${field}_ci`;
// The URL of a profile is its first origin.
for (const field of ['modified', 'created', 'name', 'origins.0']) {
  const options = { name: orderIndex(field), collation: IGNORE_CASE_AND_ACCENTS };
  BrowserProfileSchema.index({ oid: 1, [field]: 1, _id: 1 }, options);
}
// Finds the profile of a repeated commit.
BrowserProfileSchema.index({ oid: 1, committedFrom: 1 });
// Serves the choice of profiles whose file was compared longest ago, of all orgs or of one.
BrowserProfileSchema.index({ 'fixity.lastVerified': 1, _id: 1 });
BrowserProfileSchema.index({ oid: 1, 'fixity.lastVerified': 1, _id: 1 });

/** Files of profiles. A commit, or a crawl that saves its profile, writes the object anew. */
export const PROFILE_FILES: FileFields = {
  kind: 'profile',
  files: oneOrNone('$resource'),
  copied: { field: 'resource', isList: false },
  withFiles: { resource: { $ne: null } },
  isWrittenOver: true,
};
