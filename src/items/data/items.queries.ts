import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { pageAndTotal, reversedOrder } from '../../common/pagination/nearer-end.js';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { inOrderOf } from '../../common/objects/in-order.js';
import { countMatches } from '../../database/counts/count-matches.js';
import { countTotal } from '../../database/counts/count-total.js';
import { betterHint, fewMatches, hintOf, type IndexKeys, type ListHints } from '../../database/list-hint.js';
import { OrgScoped, type FindOptions } from '../../database/org-scoped.js';
import { findRows } from '../../database/read-rows.js';
import { rememberedTags, tagCounts, type CountedTag } from '../../database/counts/tag-counts.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { toQuery, type ItemFilter } from './item-filter.js';
import {
  beginsWithOrg,
  countHint,
  countParts,
  countPartsAcrossOrgs,
  listHints,
  listHintsAcrossOrgs,
  orderAcrossOrgs,
  queryAlong,
  sortAlong,
  sortsFrom,
} from './item-hints.js';
import { SUCCESSFUL } from './item-state.facts.js';
import { Item } from './item.schema.js';

export interface ItemSort {
  readonly field: string;
  readonly direction: SortDirection;
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
  private readonly tags = rememberedTags();

  constructor(@InjectModel(Item.name) private readonly model: Model<Item>) {
    this.items = new OrgScoped(model);
  }

  /** Whether any crawl, active or finished, has this seed file as its source. */
  async anyStartsFrom(oid: string, seedFileId: string, tx?: Tx): Promise<boolean> {
    return this.items.exists(oid, { 'config.seedFileId': seedFileId }, tx);
  }

  /** Returns a page of the list, and the number of items in the whole list. */
  async page(oid: string, { filter, sort, bounds }: ItemListRequest): Promise<{ items: Item[]; total: number }> {
    const by = listOrder(sort);
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
    const by = listOrder(sort);
    const hints = listHints(filter, by);
    return this.rows(oid, filter, { bounds, by, hint: hintOf(hints, await this.fewOf(oid, filter, hints)) });
  }

  /** Counts the matches where that decides how to read them. */
  private fewOf(oid: string, filter: ItemFilter, hints: ListHints): Promise<number | null> {
    return fewMatches(hints, (options) => this.items.count(oid, queryAlong(filter, options.hint), options));
  }

  private rows(oid: string, filter: ItemFilter, along: Along): Promise<Item[]> {
    return readPart((query, options) => this.items.find(oid, query, options), filter, along);
  }

  /** Counts an org's items. What no index finds is counted as the difference of two counts that an index serves. */
  async count(oid: string, filter: ItemFilter): Promise<number> {
    const parts = countParts(filter);
    const counts = parts.map((part) => {
      const hint = countHint(part);
      return this.items.total(oid, queryAlong(part, hint), { hint });
    });
    const [all = 0, ...less] = await Promise.all(counts);
    return less.reduce((left, number) => left - number, all);
  }

  /** As `page`, for the items of all orgs. */
  async pageAcrossOrgs({ filter, sort, bounds }: ItemListRequest): Promise<{ items: Item[]; total: number }> {
    return pageAndTotal(
      bounds,
      () => this.countAcrossOrgs(filter),
      (within, isReversed) => this.listAcrossOrgs({ filter, sort, bounds: within }, isReversed),
    );
  }

  /** As `list`, for the items of all orgs. Without an order the list is sorted by start, the oldest first. */
  async listAcrossOrgs({ filter, sort, bounds }: ItemListRequest, isReversed = false): Promise<Item[]> {
    const asked = listOrder(sort);
    const hints = listHintsAcrossOrgs(filter, asked);
    const hint = await betterHint(hints, (options) => this.countedAcrossOrgs(filter, options));
    const order = orderAcrossOrgs(asked, hint);
    const by = isReversed ? reversedOrder(order) : order;
    const read: Read = (query, options) => findRows(this.model, query as QueryFilter<Item>, options);
    return readPart(read, await this.namingOrgs(filter, hint), { bounds, by, hint });
  }

  /** The filter with all orgs where the index needs them. `distinct` skips from org to org, and orgs are few. */
  private async namingOrgs(filter: ItemFilter, hint: IndexKeys | undefined): Promise<ItemFilter> {
    if (filter.oids || !beginsWithOrg(hint)) return filter;
    return { ...filter, oids: decode(await this.model.distinct('oid').exec()) };
  }

  async countAcrossOrgs(filter: ItemFilter): Promise<number> {
    const counts = countPartsAcrossOrgs(filter).map(async ({ filter: part, hint }) =>
      countTotal(this.model, await this.queryAcrossOrgs(part, hint), { hint }),
    );
    const [all = 0, without = 0] = await Promise.all(counts);
    return all - without;
  }

  /** Returns tags with the number of items that have them, the most used first; of many items, as of ten seconds ago. */
  async tagCounts(oid: string, type: Item['type'] | null, onlySuccessful: boolean): Promise<CountedTag[]> {
    const match = toQuery({ type, states: onlySuccessful ? [...SUCCESSFUL] : null });
    const key = JSON.stringify([oid, type, onlySuccessful]);
    return this.tags.of(key, () => tagCounts(this.items, oid, match));
  }

  private async countedAcrossOrgs(filter: ItemFilter, { hint, limit }: HintedCount): Promise<number> {
    return countMatches(this.model, await this.queryAcrossOrgs(filter, hint), { hint, limit });
  }

  private async queryAcrossOrgs(filter: ItemFilter, hint: IndexKeys): Promise<QueryFilter<Item>> {
    return queryAlong(await this.namingOrgs(filter, hint), hint) as QueryFilter<Item>;
  }
}

interface HintedCount {
  readonly hint: IndexKeys;
  readonly limit?: number;
}

/** The part of a list that is read, and how. */
interface Along {
  readonly bounds: PageBounds;
  readonly by: ListOrder;
  readonly hint: IndexKeys | undefined;
}
type ListOrder = Readonly<Record<string, SortDirection>>;
type Options = FindOptions<Item>;
type Read = (query: Record<string, unknown>, options: Options) => Promise<Item[]>;

function readPart(read: Read, filter: ItemFilter, { bounds, by, hint }: Along): Promise<Item[]> {
  const query = queryAlong(filter, hint);
  const options = { ...bounds, sort: sortAlong(filter, by), hint };
  return sortsFrom(hint, by) ? readSorted(read, query, options) : read(query, { ...options, projection: ROW });
}

/** Sorts what the index has of all items, and reads those of the page. */
async function readSorted(read: Read, query: Record<string, unknown>, options: Options): Promise<Item[]> {
  const found = await read(query, { ...options, projection: { _id: 1 } });
  const ids = found.map(({ _id }) => _id);
  if (ids.length === 0) return [];
  const items = await read({ _id: { $in: ids } }, { limit: ids.length, projection: ROW });
  return inOrderOf(ids, items);
}

/**
 * Returns the order of a list, which is by start where none is asked for. By QA fields, crawls precede uploads among
 * equal values (archive §5). The id is the last key, so that pages neither repeat nor miss items.
 */
export function listOrder(sort: ItemSort | null): ListOrder {
  const { field, direction } = sort ?? UNSORTED;
  return { [field]: direction, ...(isByQa(field) ? { type: 1 } : {}), _id: direction };
}

const isByQa = (field: string): boolean => field === 'lastQAState' || field === 'lastQAStarted';
