import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { decode, uuid } from '../../database/uuid-codec.js';
import { FileDeletion } from './file-deletion.schema.js';
import { placesOf, type ReadStage } from './file-owner.js';
import { FileOwners } from './file-owners.js';
import type { StoredStorageRef } from './stored-file.schema.js';

/** One place where an object is, or may be. */
export interface FilePlace {
  readonly key: string;
  readonly oid: string;
  /** Bytes. */
  readonly size: number;
  /** Being written, copied or deleted: the object may be there or not. */
  readonly isPlanned: boolean;
}

/** A storage that records name; `oid` where it is an org's own. */
export interface NamedStorage {
  readonly ref: StoredStorageRef;
  readonly oid: string | null;
  readonly count: number;
}

/** Copies that are being made or deleted. */
const COPIES: ReadStage[] = [
  { $match: { type: { $in: ['create-replica', 'delete-replica'] }, success: { $ne: true } } },
  ...placesOf({ $concatArrays: [[{ filename: '$file_path', storage: '$replica_storage' }]] }, true),
];

/** Where the documents say that objects are. The database sorts, on disk where that is needed, and hands out in turn. */
@Injectable()
export class FilePlacesQueries {
  constructor(
    @InjectModel(FileDeletion.name) private readonly deletions: Model<FileDeletion>,
    private readonly owners: FileOwners,
  ) {}

  /** The storages that are named at all. */
  async storages(): Promise<NamedStorage[]> {
    const owner = { $cond: ['$custom', '$oid', null] };
    const rows = await this.places<{ _id: { name: string; custom: boolean; oid: string | null }; count: number }>([
      { $match: { isPlanned: false } },
      { $group: { _id: { name: '$name', custom: '$custom', oid: owner }, count: { $sum: 1 } } },
    ]).exec();
    return decode(rows).map(({ _id: { name, custom, oid }, count }) => ({ ref: { name, custom }, oid, count }));
  }

  /** What should be in one storage, in the order of its keys' bytes. */
  async *inOrder(storage: Pick<NamedStorage, 'ref' | 'oid'>): AsyncGenerator<FilePlace> {
    const cursor = this.places<FilePlace>([matching(storage), { $sort: { key: 1 } }]).cursor({ batchSize: 1000 });
    for await (const record of cursor) yield decode(record as FilePlace);
  }

  /** What should be under these keys. */
  async under(storage: Pick<NamedStorage, 'ref' | 'oid'>, keys: readonly string[]): Promise<FilePlace[]> {
    return decode(await this.places<FilePlace>([matching(storage), { $match: { key: { $in: [...keys] } } }]).exec());
  }

  /** Of every document that says where an object is, and of every intent that one may come or go. */
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
