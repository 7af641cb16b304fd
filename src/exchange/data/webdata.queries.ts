import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { decode, uuids } from '../../database/uuid-codec.js';
import { Item } from '../../items/data/item.schema.js';
import { PAUSED, SUCCESSFUL } from '../../items/data/item-state.facts.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';

/** Items in other states show no files. */
const SHOWN = [...SUCCESSFUL, ...PAUSED];
/** Orgs, then within an org the items from the earliest start on. It is the reverse of an index. */
const ORDER = { oid: -1, started: 1, _id: 1 } as const;

/** An index that leads to the items: to few of them where few are asked for, else to all in their order. */
const hintOf = ({ itemIds, collectionIds }: WebdataFilter): Record<string, 1 | -1> =>
  itemIds
    ? { _id: 1 }
    : collectionIds
      ? { oid: 1, collectionIds: 1, finished: -1, _id: 1 }
      : { oid: 1, started: -1, _id: -1 };

export interface TimeSpan {
  /** Inclusive. */
  readonly from?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

/** Which files are listed. */
export interface WebdataFilter {
  readonly oids: readonly string[];
  readonly itemIds?: readonly string[];
  readonly collectionIds?: readonly string[];
  readonly started: TimeSpan;
  /** Of the finish, or the start of what is not finished. */
  readonly made: TimeSpan;
  /** Pattern of the file's key. */
  readonly filename?: string;
}

/** The place of a file in the order of the list. */
export interface WebdataPlace {
  readonly oid: string;
  readonly started: Date;
  readonly itemId: string;
  readonly index: number;
}

export interface WebdataRow {
  readonly oid: string;
  readonly _id: string;
  readonly started: Date;
  readonly finished: Date | null;
  readonly collectionIds: string[] | null;
  readonly files: StoredFile;
  /** Position among the item's files. */
  readonly index: number;
}

/** Lists files of several orgs' items. */
@Injectable()
export class WebdataQueries {
  constructor(@InjectModel(Item.name) private readonly items: Model<Item>) {}

  async count(filter: WebdataFilter): Promise<number> {
    const stages: PipelineStage[] = filter.filename
      ? [{ $unwind: '$files' }, { $match: named(filter) }, { $count: 'files' }]
      : [{ $group: { _id: null, files: { $sum: { $size: '$files' } } } }];
    const found = await this.items
      .aggregate<{ files: number }>([{ $match: matching(filter) }, ...stages], { hint: hintOf(filter) })
      .exec();
    return decode(found)[0]?.files ?? 0;
  }

  /** Files of a page, in order, after a number of them. */
  page(filter: WebdataFilter, { skip, limit }: { skip: number; limit: number }): Promise<WebdataRow[]> {
    return this.rows(filter, [], [{ $skip: skip }, { $limit: limit }]);
  }

  /** Files that follow one, in order. What comes before it is not read. */
  async after(filter: WebdataFilter, place: WebdataPlace, limit: number): Promise<WebdataRow[]> {
    const { oid, started, itemId, index } = place;
    const sameOrg = filter.oids.filter((other) => other === oid);
    const later = { $or: [{ started: { $gt: started } }, { _id: { $gte: itemId } }] };
    const following = { $or: [{ started: { $gt: started } }, { _id: { $ne: itemId } }, { index: { $gt: index } }] };
    const rest = await this.rows(
      { ...filter, oids: sameOrg },
      [{ $match: { started: { $gte: started } } }, { $match: later }],
      [{ $match: following }, { $limit: limit }],
    );
    if (rest.length === limit) return rest;
    // Ids compare as their bytes do, and their bytes as the hexadecimal text.
    const others = { ...filter, oids: filter.oids.filter((other) => other < oid) };
    return [...rest, ...(await this.rows(others, [], [{ $limit: limit - rest.length }]))];
  }

  private async rows(filter: WebdataFilter, before: PipelineStage[], after: PipelineStage[]): Promise<WebdataRow[]> {
    if (filter.oids.length === 0) return [];
    const fields = { oid: 1, started: 1, finished: 1, collectionIds: 1, files: 1 } as const;
    const found = await this.items
      .aggregate<WebdataRow>(
        [
          { $match: matching(filter) },
          ...before,
          { $sort: ORDER },
          { $project: fields },
          { $unwind: { path: '$files', includeArrayIndex: 'index' } },
          { $match: named(filter) },
          ...after,
        ],
        { hint: hintOf(filter) },
      )
      .exec();
    return decode(found);
  }
}

const named = ({ filename }: WebdataFilter): object => (filename ? { 'files.filename': { $regex: filename } } : {});

function matching({ oids, itemIds, collectionIds, started, made }: WebdataFilter): Record<string, unknown> {
  const [start, finish] = [rangeOf(started), rangeOf(made)];
  return {
    oid: { $in: uuids(oids) },
    state: { $in: SHOWN },
    'files.0': { $exists: true },
    ...(itemIds ? { _id: { $in: [...itemIds] } } : {}),
    ...(collectionIds ? { collectionIds: { $in: uuids(collectionIds) } } : {}),
    ...(start ? { started: start } : {}),
    ...(finish ? { $or: [{ finished: finish }, { finished: null, started: finish }] } : {}),
  };
}

const rangeOf = ({ from, until }: TimeSpan): object | null =>
  from || until ? { ...(from ? { $gte: from } : {}), ...(until ? { $lt: until } : {}) } : null;
