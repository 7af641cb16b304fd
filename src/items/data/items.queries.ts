import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, SortOrder } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { OrgScoped } from '../../database/org-scoped.js';
import { decode } from '../../database/uuid-codec.js';
import { toQuery, type ItemFilter } from './item-filter.js';
import { countHint, listHints, MAX_SORTED, type IndexKeys } from './item-hints.js';
import { SUCCESSFUL } from './item-state.schema.js';
import { Item } from './item.schema.js';

export interface ItemSort {
  readonly field: string;
  readonly direction: SortDirection;
  /** Sorted by ascending after `field`. */
  readonly then?: string;
}

export interface ItemListRequest {
  readonly filter: ItemFilter;
  /** Null: the order in which they are stored. */
  readonly sort: ItemSort | null;
  readonly bounds: PageBounds;
}

export interface TagCount {
  tag: string;
  count: number;
}

/** What rows don't show and would make them heavy. */
const ROW = { files: 0, config: 0, errors: 0, behaviorLogs: 0 };

/** Lists of items. Each row comes from one indexed page; joins are for the page's rows only. */
@Injectable()
export class ItemsQueries {
  private readonly items: OrgScoped<Item>;

  constructor(@InjectModel(Item.name) private readonly model: Model<Item>) {
    this.items = new OrgScoped(model);
  }

  async list(oid: string, { filter, sort, bounds }: ItemListRequest): Promise<Item[]> {
    const hint = await this.listHint(oid, filter, sort);
    return this.items.find(oid, toQuery(filter), {
      ...bounds,
      sort: order(sort),
      projection: ROW,
      ...(hint ? { hint } : {}),
    });
  }

  /** Few matches are found by their own index and sorted; more are read in the order of the list. */
  async listHint(oid: string, filter: ItemFilter, sort: ItemSort | null): Promise<IndexKeys | undefined> {
    const { byFilter, byOrder } = listHints(filter, sort);
    if (!byFilter || !byOrder) return byFilter ?? byOrder;
    const matches = await this.items.count(oid, toQuery(filter), { hint: byFilter, limit: MAX_SORTED + 1 });
    return matches > MAX_SORTED ? byOrder : byFilter;
  }

  async count(oid: string, filter: ItemFilter): Promise<number> {
    return this.items.count(oid, toQuery(filter), { hint: countHint(filter) });
  }

  async listAcrossOrgs({ filter, sort, bounds }: ItemListRequest): Promise<Item[]> {
    const query = this.model.find(toQuery(filter) as QueryFilter<Item>, ROW, { ...bounds, sort: order(sort) });
    return decode((await query.lean().exec()) as Item[]);
  }

  async countAcrossOrgs(filter: ItemFilter): Promise<number> {
    return this.model.countDocuments(toQuery(filter) as QueryFilter<Item>).exec();
  }

  /** Tags with the number of items that have them, the most used first. */
  async tagCounts(oid: string, type: Item['type'] | null, onlySuccessful: boolean): Promise<TagCount[]> {
    const match = { ...(type ? { type } : {}), ...(onlySuccessful ? { state: { $in: [...SUCCESSFUL] } } : {}) };
    return this.items.aggregate<TagCount>(oid, [
      { $match: match },
      { $project: { tags: 1 } },
      { $unwind: '$tags' },
      { $group: { _id: '$tags', count: { $sum: 1 } } },
      { $project: { _id: 0, tag: '$_id', count: 1 } },
      { $sort: { count: -1, tag: 1 } },
    ]);
  }
}

/** The id as last key, so that pages neither repeat nor miss items. */
function order(sort: ItemSort | null): Record<string, SortOrder> | undefined {
  if (!sort) return undefined;
  return { [sort.field]: sort.direction, ...(sort.then ? { [sort.then]: 1 } : {}), _id: sort.direction };
}
