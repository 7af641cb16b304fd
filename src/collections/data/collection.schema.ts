import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { IGNORE_CASE_AND_ACCENTS } from '../../database/org-scoped.js';
import { documentOf, listOf, mapOf, NUMBER, TEXT, wordOf, YES_OR_NO } from '../../database/described.js';
import { storedIn } from '../../database/schema-options.js';
import { StoredStorageRef, StoredStorageRefSchema } from '../../objects/data/stored-file.schema.js';
import { FIXITY_MARK, type FixityMark } from '../../objects/data/fixity-mark.facts.js';
import { type FileFields, oneOrNone } from '../../objects/data/file-owner.js';

export const COLL_ACCESS_TYPES = ['private', 'unlisted', 'public'] as const;
export type CollectionAccess = (typeof COLL_ACCESS_TYPES)[number];

/** States of the dedupe index; null in the document means there is none. */
export const INDEX_STATES = [
  'initing',
  'importing',
  'ready',
  'purging',
  'idle',
  'saving',
  'saved',
  'crawling',
] as const;
export type IndexState = (typeof INDEX_STATES)[number];

const UUID = MongooseSchema.Types.UUID;

/** The image shown for a collection. `hash`, `size` and `mime` describe the stored bytes. */
@Schema({ _id: false, id: false })
export class StoredThumbnail {
  @Prop({ type: String, required: true }) filename!: string;
  /** SHA-256 in hex. */
  @Prop({ type: String, required: true }) hash!: string;
  /** Bytes. */
  @Prop({ type: Number, required: true }) size!: number;
  @Prop({ type: StoredStorageRefSchema, required: true }) storage!: StoredStorageRef;
  @Prop({ type: [StoredStorageRefSchema], default: [] }) replicas!: StoredStorageRef[];
  @Prop({ type: String }) originalFilename!: string;
  @Prop({ type: String }) mime!: string;
  @Prop({ type: UUID }) userid!: string;
  @Prop({ type: String }) userName!: string;
  @Prop({ type: Date, required: true }) created!: Date;
}
const StoredThumbnailSchema = SchemaFactory.createForClass(StoredThumbnail);

/** The page that the thumbnail was taken from. The page may be gone. */
@Schema({ _id: false, id: false })
export class StoredThumbnailSource {
  @Prop({ type: String, required: true }) url!: string;
  @Prop({ type: Date, required: true }) urlTs!: Date;
  @Prop({ type: UUID, required: true }) urlPageId!: string;
}
const StoredThumbnailSourceSchema = SchemaFactory.createForClass(StoredThumbnailSource);

export interface StoredIndexFile {
  readonly filename: string;
  readonly hash: string;
  readonly size: number;
  readonly storage: StoredStorageRef;
  readonly replicas: StoredStorageRef[];
  readonly type: 'kvrocks' | 'redis';
}

const STORAGE_REF = documentOf({ name: TEXT, custom: YES_OR_NO }, ['name']);
const INDEX_FILE = documentOf(
  { filename: TEXT, hash: TEXT, size: NUMBER, storage: STORAGE_REF, replicas: listOf(STORAGE_REF), type: TEXT },
  ['filename', 'size', 'storage'],
);

export interface StoredIndexStats {
  readonly totalUrls: number;
  readonly dupeUrls: number;
  readonly conservedSize: number;
  readonly totalCrawls: number;
  readonly totalCrawlSize: number;
  readonly removedCrawls: number;
  readonly removedCrawlSize: number;
  readonly updateProgress: number;
  readonly uniqueHashes: number;
  readonly estimatedRedundantSize: number;
}

/** The figures of an index that holds nothing. */
export const NO_STATS: StoredIndexStats = {
  totalUrls: 0,
  dupeUrls: 0,
  conservedSize: 0,
  totalCrawls: 0,
  totalCrawlSize: 0,
  removedCrawls: 0,
  removedCrawlSize: 0,
  updateProgress: 0,
  uniqueHashes: 0,
  estimatedRedundantSize: 0,
};

/** A named set of items. The items hold its id in `collectionIds` (archive §14.3). */
@Schema(storedIn('collections'))
export class Collection {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: String, required: true }) name!: string;
  @Prop({ type: String, required: true }) slug!: string;
  @Prop({ type: String, default: null }) description!: string | null;
  @Prop({ type: String, default: null }) caption!: string | null;
  @Prop({ type: Date }) created!: Date | null;
  @Prop({ type: Date }) modified!: Date | null;
  /** Changes with the content. `modified` is not enough: it has whole seconds, and figures may stay the same. */
  @Prop({ type: Number }) changes?: number;
  /** Start of the last pass of the statistics job. */
  @Prop({ type: Date, default: null }) lastStatsUpdateStarted!: Date | null;
  @Prop({ type: Number, default: 0 }) crawlCount!: number | null;
  @Prop({ type: Number, default: 0 }) pageCount!: number | null;
  @Prop({ type: Number, default: 0 }) uniquePageCount!: number | null;
  /** Bytes. */
  @Prop({ type: Number, default: 0 }) totalSize!: number | null;
  @Prop({ type: Date, default: null }) dateEarliest!: Date | null;
  @Prop({ type: Date, default: null }) dateLatest!: Date | null;
  /** Tags of the member items, most frequent first. */
  @Prop({ type: [String], default: [] }) tags!: string[] | null;
  @Prop({ type: String, default: 'private', holds: wordOf(...COLL_ACCESS_TYPES) }) access!: CollectionAccess;
  @Prop({ type: String, default: null }) homeUrl!: string | null;
  @Prop({ type: Date, default: null }) homeUrlTs!: Date | null;
  @Prop({ type: UUID, default: null }) homeUrlPageId!: string | null;
  @Prop({ type: StoredThumbnailSchema, default: null }) thumbnail!: StoredThumbnail | null;
  @Prop({ type: StoredThumbnailSourceSchema, default: null }) thumbnailSource!: StoredThumbnailSource | null;
  @Prop({ type: String, default: null }) defaultThumbnailName!: string | null;
  @Prop({ type: Boolean, default: true }) allowPublicDownload!: boolean | null;
  @Prop({ type: [String], default: [] }) previousSlugs!: string[];
  @Prop({ type: Date, default: null }) indexLastSavedAt!: Date | null;
  @Prop({ type: MongooseSchema.Types.Mixed, default: null, holds: INDEX_FILE })
  indexFile!: StoredIndexFile | null;
  @Prop({ type: String, default: null, holds: wordOf(...INDEX_STATES) }) indexState!: IndexState | null;
  @Prop({ type: MongooseSchema.Types.Mixed, default: null, holds: mapOf(NUMBER) })
  indexStats!: StoredIndexStats | null;
  /** When the index was last changed or used. It is ours, so an index of the reference lacks it. */
  @Prop({ type: Date, required: false }) indexUsedAt?: Date | null;
  /** Size of the index, bytes. */
  @Prop({ type: Number, default: 0 }) indexDiskSpaceUsed!: number | null;
  /** Files of items without pages. Only the statistics job writes them. */
  @Prop({ type: [{ name: String, crawlId: String, _id: false }], default: undefined })
  preloadResources?: { name: string; crawlId: string }[] | null;
  /** The ten hosts with the most pages. Only the statistics job writes them. */
  @Prop({ type: [{ host: String, count: Number, _id: false }], default: undefined })
  topPageHosts?: { host: string; count: number }[] | null;
  /** When thumbnail and index file were last compared with their records. */
  @Prop({ type: MongooseSchema.Types.Mixed, required: false, holds: FIXITY_MARK })
  fixity?: FixityMark | null;
}

/** The orders that lists offer, except by `name`, which has the unique index. */
const COLLECTION_ORDERS: readonly Record<string, 1>[] = [
  { created: 1 },
  { modified: 1 },
  { dateLatest: 1, dateEarliest: 1 },
  { crawlCount: 1 },
  { pageCount: 1 },
  { totalSize: 1 },
  { description: 1 },
  { caption: 1 },
];

const nameOf = (order: Record<string, 1>): string => `oid_1_${Object.keys(order).join('_')}_ci`;

/** Name of the index of the order that begins with this field. `name` has none here: it uses the reference's index. */
export function orderIndex(field: string): string | undefined {
  const order = COLLECTION_ORDERS.find((one) => Object.keys(one)[0] === field);
  return order && nameOf(order);
}

export const CollectionSchema = SchemaFactory.createForClass(Collection);
// Keeps names and slugs unique per org whatever the case and accents. Serves look-ups by them and lists by name.
CollectionSchema.index({ oid: 1, name: 1 }, { unique: true, collation: IGNORE_CASE_AND_ACCENTS });
CollectionSchema.index({ oid: 1, slug: 1 }, { unique: true, collation: IGNORE_CASE_AND_ACCENTS });
// An index of the reference. It serves lists by description, which compare plainly there too.
CollectionSchema.index({ oid: 1, description: 1 });
// Serves slugs of renamed collections. They compare like current slugs.
CollectionSchema.index(
  { oid: 1, previousSlugs: 1 },
  { name: 'oid_1_previousSlugs_ci', collation: IGNORE_CASE_AND_ACCENTS },
);
// Serves the look for indexes that nobody has used for a while, and for those of the reference.
CollectionSchema.index({ indexState: 1, indexUsedAt: 1 }, { partialFilterExpression: { indexState: { $gt: '' } } });
// Serves the choice of collections whose files were compared longest ago, of all orgs or of one.
CollectionSchema.index({ 'fixity.lastVerified': 1, _id: 1 });
CollectionSchema.index({ oid: 1, 'fixity.lastVerified': 1, _id: 1 });
// Serve the orders of the lists. The collation must be the list's, because a list reads no index of another one.
for (const order of COLLECTION_ORDERS) {
  const name = nameOf(order);
  CollectionSchema.index({ oid: 1, ...order, _id: 1 }, { name, collation: IGNORE_CASE_AND_ACCENTS });
}

/** Files of collections: thumbnails, and dedupe indexes of databases that were taken over. */
export const COLLECTION_FILES: FileFields = {
  kind: 'collection',
  files: { $concatArrays: [oneOrNone('$thumbnail'), oneOrNone('$indexFile')] },
  withFiles: { $or: [{ thumbnail: { $ne: null } }, { indexFile: { $ne: null } }] },
};
