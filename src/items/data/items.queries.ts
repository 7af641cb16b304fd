import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { pageAndTotal, reversedOrder } from '../../common/pagination/nearer-end.js';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { countMatches } from '../../database/count-matches.js';
import { betterHint, type IndexKeys } from '../../database/list-hint.js';
import { OrgScoped } from '../../database/org-scoped.js';
import { tagCounts, type CountedTag } from '../../database/tag-counts.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { toQuery, type ItemFilter } from './item-filter.js';
import {
  countHint,
  countParts,
  countPartsAcrossOrgs,
  listHints,
  listHintsAcrossOrgs,
  needsOrgs,
  orderAcrossOrgs,
} from './item-hints.js';
import { SUCCESSFUL } from './item-state.facts.js';
import { Item } from './item.schema.js';

export interface ItemSort {
  readonly field: string;
  readonly direction: SortDirection;
  /** A second sort field, always ascending. */
  readonly then?: string | undefined;
}

export interface ItemListRequest {
  readonly filter: ItemFilter;
  /** Null when no order is asked for. An org's list is then sorted by start, the oldest first. */
  readonly sort: ItemSort | null;
  readonly bounds: PageBounds;
}

/** Leaves out large fields that rows do not show. */
const ROW = { files: 0, config: 0, errors: 0, behaviorLogs: 0 };

/** Lists items. Each list reads one page through an index, and joins are made for that page only. */
@Injectable()
export class ItemsQueries {
  private readonly items: OrgScoped<Item>;

  constructor(@InjectModel(Item.name) private readonly model: Model<Item>) {
    this.items = new OrgScoped(model);
  }

  /** Whether any crawl, active or finished, has this seed file as its source. */
  async anyStartsFrom(oid: string, seedFileId: string, tx?: Tx): Promise<boolean> {
    return this.items.exists(oid, { 'config.seedFileId': seedFileId }, tx);
  }

  /** Returns a page of the list, and the number of items in the whole list. */
  async page(oid: string, { filter, sort, bounds }: ItemListRequest): Promise<{ items: Item[]; total: number }> {
    return pageAndTotal(
      bounds,
      () => this.count(oid, filter),
      (within, isReversed) => this.list(oid, { filter, sort, bounds: within }, isReversed),
    );
  }

  /** Returns rows of an org's list. @param isReversed whether `bounds` count from the end, the last row first */
  async list(oid: string, { filter, sort, bounds }: ItemListRequest, isReversed = false): Promise<Item[]> {
    const by = listOrder(filter, sort);
    const count = (options: HintedCount) => this.items.count(oid, toQuery(filter), options);
    const hint = await betterHint(listHints(filter, by), count);
    return this.items.find(oid, toQuery(filter), {
      ...bounds,
      sort: isReversed ? reversedOrder(by) : by,
      projection: ROW,
      ...(hint ? { hint } : {}),
    });
  }

  /** Counts an org's items. What no index finds is counted as the difference of two counts that an index serves. */
  async count(oid: string, filter: ItemFilter): Promise<number> {
    const parts = countParts(filter);
    const counts = parts.map((part) => this.items.count(oid, toQuery(part), { hint: countHint(part) }));
    const [all = 0, ...less] = await Promise.all(counts);
    return less.reduce((left, number) => left - number, all);
  }

  /** As `page`, for the items of all orgs. */
  async pageAcrossOrgs(request: ItemListRequest): Promise<{ items: Item[]; total: number }> {
    const { sort, bounds } = request;
    // `distinct` skips through an index from org to org, and orgs are few.
    const oids = needsOrgs(request.filter) ? decode(await this.model.distinct('oid').exec()) : null;
    const filter = { ...request.filter, oids };
    return pageAndTotal(
      bounds,
      () => this.countAcrossOrgs(filter),
      (within, isReversed) => this.listAcrossOrgs({ filter, sort, bounds: within }, isReversed),
    );
  }

  /** As `list`, for the items of all orgs. Without an order the list is sorted by start, the oldest first. */
  async listAcrossOrgs({ filter, sort, bounds }: ItemListRequest, isReversed = false): Promise<Item[]> {
    const { field, direction } = sort ?? { field: 'started', direction: 1 };
    const count = (options: HintedCount) => this.countedAcrossOrgs(filter, options);
    const hint = await betterHint(listHintsAcrossOrgs(filter, field), count);
    const by = orderAcrossOrgs(field, direction, hint);
    const options = { ...bounds, sort: isReversed ? reversedOrder(by) : by, ...(hint ? { hint } : {}) };
    const query = this.model.find(toQuery(filter) as QueryFilter<Item>, ROW, options);
    return decode((await query.lean().exec()) as Item[]);
  }

  async countAcrossOrgs(filter: ItemFilter): Promise<number> {
    const counts = countPartsAcrossOrgs(filter).map((part) => this.countedAcrossOrgs(part.filter, part));
    const [all = 0, without = 0] = await Promise.all(counts);
    return all - without;
  }

  /** Returns tags with the number of items that have them, the most used first. */
  async tagCounts(oid: string, type: Item['type'] | null, onlySuccessful: boolean): Promise<CountedTag[]> {
    const match = toQuery({ type, states: onlySuccessful ? [...SUCCESSFUL] : null });
    return tagCounts(this.items, oid, match);
  }

  private async countedAcrossOrgs(filter: ItemFilter, { hint, limit }: HintedCount): Promise<number> {
    return countMatches(this.model, toQuery(filter) as QueryFilter<Item>, { hint, limit });
  }
}

interface HintedCount {
  readonly hint: IndexKeys;
  readonly limit?: number;
}

/** Returns the order of an org's list, which is by start where none is asked for. */
export function listOrder({ type }: ItemFilter, sort: ItemSort | null): Record<string, SortDirection> {
  // Within one type, the type as second sort field has no effect.
  return order(sort ? (type ? { ...sort, then: undefined } : sort) : { field: 'started', direction: 1 });
}

/** Adds the id as last key, so that pages neither repeat nor miss items. */
function order(sort: ItemSort): Record<string, SortDirection> {
  return { [sort.field]: sort.direction, ...(sort.then ? { [sort.then]: 1 } : {}), _id: sort.direction };
}
