import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { decode, uuid } from '../../database/uuid-codec.js';
import { Item } from '../../items/data/item.schema.js';
import type { StoredStorageRef } from '../../items/data/stored-file.schema.js';

/** One place where an object is, or may be. */
export interface FileRecord {
  /** Key of the object. */
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

type Expression = string | object;
/** A `$unionWith` takes no stages that write, so it has a narrower type than a pipeline. */
type ReadStage = Exclude<PipelineStage, PipelineStage.Merge | PipelineStage.Out>;

const orEmpty = (field: Expression): object => ({ $ifNull: [field, []] });
const listOf = (field: string): object => ({ $cond: [{ $ifNull: [field, false] }, [field], []] });
const filesOfRuns = {
  $reduce: {
    input: { $objectToArray: { $ifNull: ['$qaFinished', {}] } },
    initialValue: [],
    in: { $concatArrays: ['$$value', orEmpty('$$this.v.files')] },
  },
};
const itemFiles = { $concatArrays: [orEmpty('$files'), orEmpty('$qa.files'), filesOfRuns] };

/** One document for each place of each of `files`: where it was written, and its copies. */
function places(files: Expression, isPlanned = false): ReadStage[] {
  const refs = { $concatArrays: [['$file.storage'], orEmpty('$file.replicas')] };
  return [
    { $project: { oid: 1, file: files } },
    { $unwind: '$file' },
    { $project: { oid: 1, key: '$file.filename', size: '$file.size', ref: refs } },
    { $unwind: '$ref' },
    {
      $project: {
        ...{ _id: 0, oid: 1, key: 1, size: 1, isPlanned: { $literal: isPlanned } },
        ...{ name: '$ref.name', custom: isCustom('$ref.custom') },
      },
    },
  ] as ReadStage[];
}

const isCustom = (field: string): object => ({ $eq: [field, true] });

const planned = (oid: string, key: string, ref: string): ReadStage => ({
  $project: {
    ...{ _id: 0, oid, key, size: { $literal: 0 }, isPlanned: { $literal: true } },
    ...{ name: `${ref}.name`, custom: isCustom(`${ref}.custom`) },
  },
});

const union = (coll: string, pipeline: ReadStage[]): PipelineStage => ({ $unionWith: { coll, pipeline } });

/** Every document that says where an object is, of one org or of all. */
function allFiles(oid?: string): PipelineStage[] {
  const within: ReadStage[] = oid === undefined ? [] : [{ $match: { oid: uuid(oid) } }];
  const of = (files: Expression): ReadStage[] => [...within, ...places(files)];
  return [
    ...of(itemFiles),
    union('profiles', of(listOf('$resource'))),
    union('file_uploads', of([{ filename: '$filename', size: '$size', storage: '$storage', replicas: '$replicas' }])),
    union('collections', of({ $concatArrays: [listOf('$thumbnail'), listOf('$indexFile')] })),
    union('resumable_uploads', of(orEmpty('$pieces'))),
  ];
}

/** Those, and every intent that an object may come or go. */
const ALL_PLACES: PipelineStage[] = [
  ...allFiles(),
  union('file_deletions', places('$files', true)),
  union('jobs', [
    { $match: { type: { $in: ['create-replica', 'delete-replica'] }, success: { $ne: true } } },
    planned('$oid', '$file_path', '$replica_storage'),
  ]),
  union('domain_events', [
    { $match: { type: 'seedFile.deleted' } },
    planned('$payload.oid', '$payload.filename', '$payload.storage'),
  ]),
];

/** Storages that runs of an org are writing to. */
const writtenBy = (oid: string): PipelineStage =>
  union('crawl_jobs', [{ $match: { oid: uuid(oid), active: true } }, planned('$oid', '$storageFilename', '$storage')]);

/** Where the documents say that objects are. The database sorts, on disk where that is needed, and hands out in turn. */
@Injectable()
export class FileRecordsQueries {
  constructor(@InjectModel(Item.name) private readonly items: Model<Item>) {}

  /** The storages that are named at all. */
  async storages(): Promise<NamedStorage[]> {
    const owner = { $cond: ['$custom', '$oid', null] };
    const rows = await this.items
      .aggregate<{ _id: { name: string; custom: boolean; oid: string | null }; count: number }>([
        ...ALL_PLACES,
        { $match: { isPlanned: false } },
        { $group: { _id: { name: '$name', custom: '$custom', oid: owner }, count: { $sum: 1 } } },
      ])
      .allowDiskUse(true)
      .exec();
    return decode(rows).map(({ _id: { name, custom, oid }, count }) => ({ ref: { name, custom }, oid, count }));
  }

  /** Whether a file of the org is in its own storage of this name, or a run of it writes there. */
  async isInUse(oid: string, name: string): Promise<boolean> {
    const found = await this.items
      .aggregate<unknown>([...allFiles(oid), writtenBy(oid), { $match: { name, custom: true } }, { $limit: 1 }])
      .exec();
    return found.length > 0;
  }

  /** What should be in one storage, in the order of its keys' bytes. */
  async *inOrder(storage: Pick<NamedStorage, 'ref' | 'oid'>): AsyncGenerator<FileRecord> {
    const cursor = this.items
      .aggregate<FileRecord>([...ALL_PLACES, matching(storage), { $sort: { key: 1 } }])
      .allowDiskUse(true)
      .cursor({ batchSize: 1000 });
    for await (const record of cursor) yield decode(record as FileRecord);
  }

  /** What should be under these keys. */
  async under(storage: Pick<NamedStorage, 'ref' | 'oid'>, keys: readonly string[]): Promise<FileRecord[]> {
    const found = this.items
      .aggregate<FileRecord>([...ALL_PLACES, matching(storage), { $match: { key: { $in: [...keys] } } }])
      .allowDiskUse(true);
    return decode(await found.exec());
  }
}

const matching = ({ ref, oid }: Pick<NamedStorage, 'ref' | 'oid'>): PipelineStage => ({
  $match: { name: ref.name, custom: ref.custom, ...(oid ? { oid: uuid(oid) } : {}) },
});
