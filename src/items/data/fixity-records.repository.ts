import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Collection } from '../../collections/data/collection.schema.js';
import { decode } from '../../database/uuid-codec.js';
import { SeedFile } from '../../files/data/seed-file.schema.js';
import { BrowserProfile } from '../../profiles/data/browser-profile.schema.js';
import { allFilesOf } from './files-of-item.js';
import { type FixityMark, Item } from './item.schema.js';
import type { StoredFile } from './stored-file.schema.js';

/** What keeps files with their digests, in the order in which they are verified: what is small first. */
export const FIXITY_KINDS = ['profile', 'seedFile', 'collection', 'item'] as const;
export type FixityKind = (typeof FIXITY_KINDS)[number];

/** As much of a file's record as its bytes are compared with. */
export type RecordedFile = Pick<StoredFile, 'filename' | 'hash' | 'size' | 'storage'> & {
  readonly replicas?: StoredFile['replicas'] | null;
};

/** One document with the files that it records. */
export interface FixityRecord {
  readonly kind: FixityKind;
  readonly oid: string;
  readonly id: string;
  readonly files: readonly RecordedFile[];
}

interface Source {
  readonly model: Model<Record<string, unknown>>;
  readonly filter: object;
  readonly files: (document: unknown) => readonly RecordedFile[];
}

function source<T>(
  model: Model<T>,
  filter: object,
  files: (document: T) => readonly (RecordedFile | null | undefined)[],
): Source {
  const recorded = (document: unknown) => files(document as T).filter((file) => file !== null && file !== undefined);
  return { model: model as unknown as Source['model'], filter, files: recorded };
}

/** The documents that record files, of all orgs, by when the files were last compared with them. */
@Injectable()
export class FixityRecordsRepository {
  private readonly sources: Readonly<Record<FixityKind, Source>>;

  constructor(
    @InjectModel(Item.name) items: Model<Item>,
    @InjectModel(BrowserProfile.name) profiles: Model<BrowserProfile>,
    @InjectModel(SeedFile.name) seedFiles: Model<SeedFile>,
    @InjectModel(Collection.name) collections: Model<Collection>,
  ) {
    const hasIndexOrThumbnail = { $or: [{ thumbnail: { $ne: null } }, { indexFile: { $ne: null } }] };
    this.sources = {
      profile: source(profiles, { resource: { $ne: null } }, ({ resource }) => [resource]),
      seedFile: source(seedFiles, {}, (file) => [file]),
      collection: source(collections, hasIndexOrThumbnail, ({ thumbnail, indexFile }) => [thumbnail, indexFile]),
      item: source(items, { fileCount: { $gt: 0 }, deleted: { $ne: true } }, allFilesOf),
    };
  }

  /**
   * Documents whose files were not compared since `before`, those of longest ago first.
   * @param oid only this org's; of all orgs when null
   */
  async findDue(kind: FixityKind, oid: string | null, before: Date, limit: number): Promise<FixityRecord[]> {
    const { model, filter } = this.sources[kind];
    const due = { ...filter, 'fixity.lastVerified': { $not: { $gte: before } }, ...(oid ? { oid } : {}) };
    const sort = { 'fixity.lastVerified': 1, _id: 1 } as const;
    const hint = oid ? { oid: 1, ...sort } : sort;
    const found = await model.find(due, null, { limit, sort, hint }).lean().exec();
    return found.map((document) => this.recordOf(kind, document));
  }

  /** The files that the document records now; none when it is gone or going. */
  async filesNow({ kind, oid, id }: FixityRecord): Promise<readonly RecordedFile[]> {
    const { model, filter } = this.sources[kind];
    const document = await model
      .findOne({ ...filter, _id: id, oid })
      .lean()
      .exec();
    return document ? this.recordOf(kind, document).files : [];
  }

  async setResult({ kind, oid, id }: FixityRecord, fixity: FixityMark): Promise<void> {
    await this.sources[kind].model.updateOne({ _id: id, oid }, { $set: { fixity } }).exec();
  }

  private recordOf(kind: FixityKind, document: unknown): FixityRecord {
    const decoded = decode(document) as { _id: string; oid: string };
    const { files } = this.sources[kind];
    return {
      ...{ kind, oid: decoded.oid, id: decoded._id },
      // Read when they are looked at: a record whose files can't be, stops no other one of its batch.
      get files() {
        return files(decoded);
      },
    };
  }
}
