import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { decode, uuid } from '../../database/uuid-codec.js';
import { FileDeletion } from './file-deletion.schema.js';
import { placesOf, type ReadStage } from './file-owner.js';
import { FileOwners } from './file-owners.js';
import type { StoredStorageRef } from './stored-file.schema.js';

/** One place where an object is or may be. */
export interface FilePlace {
  readonly key: string;
  readonly oid: string;
  /** Bytes. */
  readonly size: number;
  /** True while the object is written, copied or deleted: it may or may not exist. */
  readonly isPlanned: boolean;
}

/** A storage that file records name. `oid` is set when the storage belongs to an org. */
export interface NamedStorage {
  readonly ref: StoredStorageRef;
  readonly oid: string | null;
  readonly count: number;
}

/** Stages that yield the copies that replica jobs are still to make or delete. */
const COPIES: ReadStage[] = [
  { $match: { type: { $in: ['create-replica', 'delete-replica'] }, success: { $ne: true } } },
  ...placesOf({ $concatArrays: [[{ filename: '$file_path', storage: '$replica_storage' }]] }, true),
];

/**
 * The places where documents say that objects are. The database sorts them, on disk if needed, and a cursor reads them.
 */
@Injectable()
export class FilePlacesQueries {
  constructor(
    @InjectModel(FileDeletion.name) private readonly deletions: Model<FileDeletion>,
    private readonly owners: FileOwners,
  ) {}

  /** Returns every storage that a file record names. */
  async storages(): Promise<NamedStorage[]> {
    const owner = { $cond: ['$custom', '$oid', null] };
    const rows = await this.places<{ _id: { name: string; custom: boolean; oid: string | null }; count: number }>([
      { $match: { isPlanned: false } },
      { $group: { _id: { name: '$name', custom: '$custom', oid: owner }, count: { $sum: 1 } } },
    ]).exec();
    return decode(rows).map(({ _id: { name, custom, oid }, count }) => ({ ref: { name, custom }, oid, count }));
  }

  /** Yields what should be in one storage, in the byte order of the keys. */
  async *inOrder(storage: Pick<NamedStorage, 'ref' | 'oid'>): AsyncGenerator<FilePlace> {
    const cursor = this.places<FilePlace>([matching(storage), { $sort: { key: 1 } }]).cursor({ batchSize: 1000 });
    for await (const record of cursor) yield decode(record as FilePlace);
  }

  /** Returns what should be in one storage under these keys. */
  async under(storage: Pick<NamedStorage, 'ref' | 'oid'>, keys: readonly string[]): Promise<FilePlace[]> {
    return decode(await this.places<FilePlace>([matching(storage), { $match: { key: { $in: [...keys] } } }]).exec());
  }

  /** Reads every file record, every planned deletion and every unfinished replica job. */
  private places<R>(stages: PipelineStage[]) {
    const all: PipelineStage[] = [
      ...placesOf('$files', true),
      { $unionWith: { coll: 'jobs', pipeline: COPIES } },
      ...this.owners.all().map(({ union }) => union),
    ];
    return this.deletions.aggregate<R>([...all, ...stages]).allowDiskUse(true);
  }
}

const matching = ({ ref, oid }: Pick<NamedStorage, 'ref' | 'oid'>): PipelineStage => ({
  $match: { name: ref.name, custom: ref.custom, ...(oid ? { oid: uuid(oid) } : {}) },
});
