import { Injectable } from '@nestjs/common';
import { checkSort, pageBounds, pageOf, type ListPage } from '../common/pagination/page.js';
import { givenText } from '../common/validation/percent-decoding.js';
import type { CountedTag } from '../database/counts/tag-counts.js';
import type { ItemFilter } from './data/item-filter.js';
import { ItemValuesQueries } from './data/item-values.queries.js';
import { ItemsQueries, type ItemSort } from './data/items.queries.js';
import type { AllItemsQuery, ItemSearchValuesQuery, ItemTagCountsQuery } from './dto/item-queries.dto.js';
import type { CrawlOut, CrawlSearchValuesResponse } from './dto/items.dto.js';
import { InvalidQaReviewRange } from './item-list.errors.js';
import { ListedItems } from './listed-items.js';

const SORT_FIELDS = [
  'started',
  'finished',
  'fileSize',
  'reviewStatus',
  'lastQAStarted',
  'lastQAState',
  'qaRunCount',
] as const;

/** Reads the review filter. @throws InvalidQaReviewRange for more than two values or any outside 1 to 5 */
function reviewRange(values: readonly number[] | null | undefined): ItemFilter['reviewStatus'] {
  if (!values || values.length === 0) return null;
  if (values.length > 2 || values.some((value) => value < 1 || value > 5)) throw new InvalidQaReviewRange();
  return { min: values[0] ?? 1, max: values.at(-1) ?? 5 };
}

/** Returns the filter of a list of both types. @throws InvalidQaReviewRange */
export function toItemFilter(query: AllItemsQuery): ItemFilter {
  const { userid, cid, tags, tagMatch, collectionId, dedupeCollId, ids } = query;
  const { requiresCrawls, requiredByCrawls, hasRequiresCrawls, hasRequiredByCrawls } = query;
  return {
    ...{ userid, cid, tags, tagMatch, collectionId, dedupeCollId, ids },
    ...{ requiresCrawls, requiredByCrawls, hasRequiresCrawls, hasRequiredByCrawls },
    type: query.crawlType,
    states: query.state,
    name: givenText(query.name),
    description: givenText(query.description),
    firstSeed: givenText(query.firstSeed),
    reviewStatus: reviewRange(query.reviewStatus),
  };
}

/** Returns the order of a list of both types. @throws InvalidSortBy, InvalidSortDirection */
export const toItemSort = (query: { sortBy?: string | null; sortDirection?: number | null }): ItemSort | null =>
  checkSort(SORT_FIELDS, query.sortBy, query.sortDirection);

/** Lists of crawls and uploads together. Contract: archive §5. */
@Injectable()
export class ItemsService {
  constructor(
    private readonly queries: ItemsQueries,
    private readonly values: ItemValuesQueries,
    private readonly listed: ListedItems,
  ) {}

  /** @throws InvalidQaReviewRange, InvalidSortBy, InvalidSortDirection */
  async list(oid: string, query: AllItemsQuery): Promise<ListPage<CrawlOut>> {
    const filter = toItemFilter(query);
    const sort = toItemSort(query);
    const { items, total } = await this.queries.page(oid, { filter, sort, bounds: pageBounds(query) });
    return pageOf(query, total, await this.listed.of(items));
  }

  /** Returns the values that the list's filters offer. */
  async searchValues(oid: string, query: ItemSearchValuesQuery): Promise<CrawlSearchValuesResponse> {
    return this.values.searchValues(oid, { type: query.crawlType, collectionId: query.collectionId });
  }

  async tagCounts(oid: string, query: ItemTagCountsQuery): Promise<CountedTag[]> {
    return this.queries.tagCounts(oid, query.crawlType ?? null, query.onlySuccessful);
  }
}
