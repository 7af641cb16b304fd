import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { pageAndTotal, reversedOrder } from '../../common/pagination/nearer-end.js';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { countMatches } from '../../database/count-matches.js';
import { betterHint, fewMatches, hintOf, type IndexKeys, type ListHints } from '../../database/list-hint.js';
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
  queryAlong,
  sortAlong,
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

/** The order of a list for which none is asked. */
const UNSORTED = { field: 'started', direction: 1 } as const;
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
    const by = listOrder(filter, sort);
    const hints = listHints(filter, by);
    const few = await this.fewOf(oid, filter, hints);
    return pageAndTotal(
      bounds,
      () => (few === null ? this.count(oid, filter) : Promise.resolve(few)),
      (within, isReversed) =>
        this.rows(oid, filter, { bounds: within, by: isReversed ? reversedOrder(by) : by, hint: hintOf(hints, few) }),
    );
  }

  /** Returns rows of an org's list. */
  async list(oid: string, { filter, sort, bounds }: ItemListRequest): Promise<Item[]> {
    const by = listOrder(filter, sort);
    const hints = listHints(filter, by);
    return this.rows(oid, filter, { bounds, by, hint: hintOf(hints, await this.fewOf(oid, filter, hints)) });
  }

  /** Counts the matches where that decides how to read them. */
  private fewOf(oid: string, filter: ItemFilter, hints: ListHints): Promise<number | null> {
    return fewMatches(hints, (options) => this.items.count(oid, queryAlong(filter, options.hint), options));
  }

  private rows(
    oid: string,
    filter: ItemFilter,
    { bounds, by, hint }: { bounds: PageBounds; by: Record<string, SortDirection>; hint: IndexKeys | undefined },
  ): Promise<Item[]> {
    const options = { ...bounds, sort: sortAlong(filter, by), projection: ROW, ...(hint ? { hint } : {}) };
    return this.items.find(oid, queryAlong(filter, hint), options);
  }

  /** Counts an org's items. What no index finds is counted as the difference of two counts that an index serves. */
  async count(oid: string, filter: ItemFilter): Promise<number> {
    const parts = countParts(filter);
    const counts = parts.map((part) => {
      const hint = countHint(part);
      return this.items.count(oid, queryAlong(part, hint), { hint });
    });
    const [all = 0, ...less] = await Promise.all(counts);
    return less.reduce((left, number) => left - number, all);
  }

  /** As `page`, for the items of all orgs. */
  async pageAcrossOrgs(request: ItemListRequest): Promise<{ items: Item[]; total: number }> {
    const { sort, bounds } = request;
    const filter = await this.namingOrgs(request);
    return pageAndTotal(
      bounds,
      () => this.countAcrossOrgs(filter),
      (within, isReversed) => this.listAcrossOrgs({ filter, sort, bounds: within }, isReversed),
    );
  }

  /** As `list`, for the items of all orgs. Without an order the list is sorted by start, the oldest first. */
  async listAcrossOrgs({ filter, sort, bounds }: ItemListRequest, isReversed = false): Promise<Item[]> {
    const { field, direction } = sort ?? UNSORTED;
    const named = await this.namingOrgs({ filter, sort });
    const count = (options: HintedCount) => this.countedAcrossOrgs(named, options);
    const hint = await betterHint(listHintsAcrossOrgs(named, field), count);
    const by = sortAlong(named, orderAcrossOrgs(field, direction, hint));
    const options = { ...bounds, sort: isReversed ? reversedOrder(by) : by, ...(hint ? { hint } : {}) };
    const query = this.model.find(queryAlong(named, hint) as QueryFilter<Item>, ROW, options);
    return decode((await query.lean().exec()) as Item[]);
  }

  /** The filter with all orgs where an index needs them. `distinct` skips from org to org, and orgs are few. */
  private async namingOrgs({ filter, sort }: Pick<ItemListRequest, 'filter' | 'sort'>): Promise<ItemFilter> {
    if (filter.oids || !needsOrgs(filter, (sort ?? UNSORTED).field)) return filter;
    return { ...filter, oids: decode(await this.model.distinct('oid').exec()) };
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
    return countMatches(this.model, queryAlong(filter, hint) as QueryFilter<Item>, { hint, limit });
  }
}

interface HintedCount {
  readonly hint: IndexKeys;
  readonly limit?: number;
}

/** Returns the order of an org's list, which is by start where none is asked for. */
export function listOrder({ type }: ItemFilter, sort: ItemSort | null): Record<string, SortDirection> {
  // Within one type, the type as second sort field has no effect.
  return order(sort ? (type ? { ...sort, then: undefined } : sort) : UNSORTED);
}

/** Adds the id as last key, so that pages neither repeat nor miss items. */
function order(sort: ItemSort): Record<string, SortDirection> {
  return { [sort.field]: sort.direction, ...(sort.then ? { [sort.then]: 1 } : {}), _id: sort.direction };
}
