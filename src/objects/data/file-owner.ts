import type { ClientSession, Model, PipelineStage, QueryFilter, UpdateQuery } from 'mongoose';
import { decode, uuid } from '../../database/uuid-codec.js';
import type { FixityMark } from './fixity-mark.facts.js';
import type { StoredFile } from './stored-file.schema.js';

/**
 * The kinds of documents that record files with digests, in the order in which they are verified: small files first.
 */
export const FIXITY_KINDS = ['profile', 'seedFile', 'collection', 'keptItem', 'item'] as const;
export type FixityKind = (typeof FIXITY_KINDS)[number];

/** The part of a file's record that its bytes are compared with. */
export type RecordedFile = Pick<StoredFile, 'filename' | 'hash' | 'size' | 'storage'> & {
  readonly replicas?: StoredFile['replicas'] | null;
};

/** A field, written `$field`, or an expression of the database. */
export type Expression = string | object;
/** The stages that a `$unionWith` takes: all but those that write. */
export type ReadStage = Exclude<PipelineStage, PipelineStage.Merge | PipelineStage.Out>;

/** How the documents of one MongoDB collection record their files. */
export interface FileFields {
  readonly kind: FixityKind | 'resumableUpload' | 'run' | 'auditDay' | 'auditChain';
  /** The list of all files of a document. */
  readonly files: Expression;
  /** The field with those files that are copied to replica storages. */
  readonly copied?: { readonly field: string; readonly isList: boolean };
  /** Filter of the documents that are not about to be deleted, whose files are verified. Absent means all documents. */
  readonly lasting?: object;
  /** Filter of the documents that have files, as far as a query can tell. */
  readonly withFiles?: object;
  /** Whether the document keeps its last verifications, in `fixityRuns`. */
  readonly keepsRuns?: boolean;
  /** Whether objects are overwritten under their names. A stored object may then be newer than its record. */
  readonly isWrittenOver?: boolean;
  /** The documents to which the files may move when theirs is removed. */
  readonly movesTo?: FixityKind;
  /** Whether the files are only about to be written, so that their objects may or may not exist. */
  readonly isPlanned?: boolean;
}

export const orEmpty = (list: Expression): Expression => ({ $ifNull: [list, []] });
/** The files of a field that holds one file or none, as a list. */
export const oneOrNone = (file: string): Expression => ({ $cond: [{ $ifNull: [file, false] }, [file], []] });

/** Stages that yield one document for each place of each of `files`: its original and each of its copies. */
export function placesOf(files: Expression, isPlanned = false): ReadStage[] {
  const refs = { $concatArrays: [['$file.storage'], orEmpty('$file.replicas')] };
  return [
    { $project: { oid: 1, file: files } },
    { $unwind: '$file' },
    { $project: { oid: 1, key: '$file.filename', size: '$file.size', ref: refs } },
    { $unwind: '$ref' },
    {
      $project: {
        ...{ _id: 0, oid: 1, key: 1, size: 1, isPlanned: { $literal: isPlanned } },
        ...{ name: '$ref.name', custom: { $eq: ['$ref.custom', true] } },
      },
    },
  ] as ReadStage[];
}

/** Verifications that a document keeps: five years of them, at one in 90 days. */
const KEPT_RUNS = 20;

/** The record of a file that was unwound. */
const FILE_FIELDS = {
  filename: '$file.filename',
  hash: { $ifNull: ['$file.hash', ''] },
  size: { $ifNull: ['$file.size', 0] },
  storage: '$file.storage',
  replicas: orEmpty('$file.replicas'),
};

interface Owning {
  readonly _id: string;
  readonly oid: string;
}

/**
 * The documents of one MongoDB collection that record files. Replication, the verification of files and `check` query
 * them.
 */
export class FileOwner {
  /** A stage that adds the places of the files of all orgs to a pipeline. */
  readonly union: PipelineStage;
  private readonly places: ReadStage[];
  private readonly model: Model<Owning>;

  constructor(
    model: Model<never>,
    readonly fields: FileFields,
  ) {
    this.model = model as unknown as Model<Owning>;
    this.places = placesOf(fields.files, fields.isPlanned);
    this.union = { $unionWith: { coll: this.model.collection.name, pipeline: this.places } };
  }

  /** Returns the files that a document records, or none when the document is gone. */
  async filesOf(oid: string, id: string): Promise<RecordedFile[]> {
    return this.read(oid, id, this.fields.files);
  }

  /** Returns the document's files that are copied to replica storages. */
  async copiedFilesOf(oid: string, id: string): Promise<RecordedFile[]> {
    const { copied } = this.fields;
    if (!copied) return [];
    return this.read(oid, id, copied.isList ? orEmpty(`$${copied.field}`) : oneOrNone(`$${copied.field}`));
  }

  /** Records a copy of a file. Repeating the call changes nothing. @returns false when the file is gone */
  async addReplica(oid: string, id: string, filename: string, storage: StoredFile['storage']): Promise<boolean> {
    const { copied } = this.fields;
    if (!copied) return false;
    const replicas = `${copied.field}${copied.isList ? '.$' : ''}.replicas`;
    return this.change(oid, id, { $addToSet: { [replicas]: storage } }, { [`${copied.field}.filename`]: filename });
  }

  /**
   * Finds documents whose files were not verified since `before`. Those verified longest ago come first.
   * @param oid the org to search, or null for all orgs
   */
  async findDue(oid: string | null, before: Date, limit: number): Promise<{ oid: string; id: string }[]> {
    const { lasting, withFiles } = this.fields;
    const due = { 'fixity.lastVerified': { $not: { $gte: before } }, ...(oid ? { oid } : {}) };
    const sort = { 'fixity.lastVerified': 1, _id: 1 } as const;
    const hint = oid ? { oid: 1, ...sort } : sort;
    const filter = { ...lasting, ...withFiles, ...due } as QueryFilter<Owning>;
    const found = await this.model.find(filter, { oid: 1 }, { limit, sort, hint }).lean().exec();
    return (decode(found) as Owning[]).map(({ _id: id, oid: of }) => ({ oid: of, id }));
  }

  async setFixity(oid: string, id: string, fixity: FixityMark): Promise<void> {
    const runs = { $push: { fixityRuns: { $each: [fixity], $slice: -KEPT_RUNS } } };
    await this.change(oid, id, { $set: { fixity }, ...(this.fields.keepsRuns ? runs : {}) } as UpdateQuery<Owning>);
  }

  /** Yields the files of all documents, as a session sees them. Planned ones are left out. */
  async *filesWithin(session: ClientSession): AsyncGenerator<RecordedFile & { readonly oid: string }> {
    if (this.fields.isPlanned) return;
    const { filename, hash, size, storage, replicas } = FILE_FIELDS;
    const file = { $project: { _id: 0, oid: 1, filename, hash, size, storage, replicas } };
    const stages = [{ $project: { oid: 1, file: this.fields.files } }, { $unwind: '$file' }, file];
    const found = this.model.aggregate<RecordedFile & { oid: string }>(stages).session(session);
    for await (const one of found.cursor({ batchSize: 1000 })) yield decode(one as RecordedFile & { oid: string });
  }

  /** Whether some file of the org is in the org's own storage of this name, or is about to be written there. */
  async isStorageInUse(oid: string, name: string): Promise<boolean> {
    const within = { $match: { oid: uuid(oid) } };
    const found = await this.model
      .aggregate<unknown>([within, ...this.places, { $match: { name, custom: true } }, { $limit: 1 }])
      .exec();
    return found.length > 0;
  }

  private async read(oid: string, id: string, files: Expression): Promise<RecordedFile[]> {
    const filter = { _id: id, oid } as QueryFilter<Owning>;
    const found = await this.model.findOne(filter, { files }).lean().exec();
    return (decode(found) as { files: RecordedFile[] } | null)?.files ?? [];
  }

  private async change(oid: string, id: string, update: UpdateQuery<Owning>, filter: object = {}): Promise<boolean> {
    const done = await this.model.updateOne({ ...filter, _id: id, oid }, update).exec();
    return done.matchedCount === 1;
  }
}
