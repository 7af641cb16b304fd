import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';
import { type FileFields, orEmpty } from '../../objects/data/file-owner.js';
import { FIXITY_MARK, type FixityMark } from '../../objects/data/fixity-mark.facts.js';
import { StoredFile, StoredFileSchema } from '../../objects/data/stored-file.schema.js';

const { Mixed, UUID } = MongooseSchema.Types;

/**
 * The files of a deleted item to whose payloads other items refer. Nobody sees the item any more; its files stay until
 * the last dependent is gone. It is stored in the transaction that removes the item's document (ADR 0043).
 */
@Schema(storedIn('retained_items'))
export class KeptItem {
  /** Id of the deleted item. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: String, required: true }) type!: 'crawl' | 'upload';
  /** Who had started the crawl or sent the upload, and so may take its files down. */
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: [StoredFileSchema], default: [] }) files!: StoredFile[];
  /** Bytes of `files`. They stay in the org's counter. */
  @Prop({ type: Number, default: 0 }) fileSize!: number;
  @Prop({ type: Number, default: 0 }) fileCount!: number;
  /** Items to whose payloads these files refer. */
  @Prop({ type: [String], default: [] }) requiresCrawls!: string[];
  /** Items, and other kept items, that refer to these files. Crawls that still run are in `item_holds`. */
  @Prop({ type: [String], default: [] }) requiredBy!: string[];
  /** When the item was deleted. */
  @Prop({ type: Date, required: true }) deletedAt!: Date;
  /**
   * When the files were taken down for good. What is left says why the dependents lack them, and goes with the last of
   * them.
   */
  @Prop({ type: Date, default: null }) takenDownAt!: Date | null;
  /** When the last change of what readers find here was made. */
  @Prop({ type: Date, required: true }) changedAt!: Date;
  /** When it is looked at whether somebody still needs the files. Whoever lets go of them sets it to now. */
  @Prop({ type: Date, required: true }) dueAt!: Date;
  @Prop({ type: Mixed, required: false, holds: FIXITY_MARK }) fixity?: FixityMark | null;
}

export const KeptItemSchema = SchemaFactory.createForClass(KeptItem);
// Serves what is to be looked at, of all orgs and of one.
KeptItemSchema.index({ dueAt: 1 });
KeptItemSchema.index({ oid: 1, dueAt: 1 });
// Serves the kept items that need an item which is deleted.
KeptItemSchema.index({ oid: 1, requiresCrawls: 1 });
// Serves the last change in an org, by which a collection's answer is known to be the same.
KeptItemSchema.index({ oid: 1, changedAt: -1 });
// Serves the kept items whose files were verified longest ago, of all orgs and of one.
KeptItemSchema.index({ 'fixity.lastVerified': 1, _id: 1 });
KeptItemSchema.index({ oid: 1, 'fixity.lastVerified': 1, _id: 1 });

/** How kept items record files. */
export const KEPT_ITEM_FILES: FileFields = {
  kind: 'keptItem',
  files: orEmpty('$files'),
  copied: { field: 'files', isList: true },
  withFiles: { fileCount: { $gt: 0 } },
};
