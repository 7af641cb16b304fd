import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, SortOrder } from 'mongoose';
import { pageAndTotal, reversedOrder } from '../../common/pagination/nearer-end.js';
import type { PageBounds } from '../../common/pagination/page.js';
import { inOrderOf } from '../../common/objects/in-order.js';
import { countMatches } from '../../database/counts/count-matches.js';
import { countTotal } from '../../database/counts/count-total.js';
import { OrgScoped, type FindOptions } from '../../database/org-scoped.js';
import type { KnownPages } from '../../items/data/item-pages.facts.js';
import { Page, QA_VALUES, REVIEWS } from './page.schema.js';
import { chunksOf, comparePages, ITEMS_PER_MERGE, mergeOrdered } from './page-merge.js';
import {
  asksAnything,
  countParts,
  filterIndex,
  planPageQuery,
  planTitleText,
  qaRangeOf,
  titleQueryOf,
  type PageFilter,
  type PageQueryPlan,
  type PageSort,
} from './page-query.js';
import { TitleSearch } from './title-search.js';
import { UnstoredTitles, unstoredMatcher } from './unstored-titles.js';

export interface PageListRequest {
  readonly crawlIds: readonly string[];
  readonly filter: PageFilter;
  readonly sort?: PageSort | null;
  readonly skip: number;
  readonly limit: number;
}

export type ItemPageRequest = Omit<PageListRequest, 'crawlIds'>;

interface StreamOptions {
  readonly projection: Record<string, 1>;
  readonly limit?: number;
  readonly batchSize?: number;
}

const UNKNOWN: KnownPages = { count: null, hasRun: false };
/** Most pages sorted in memory. More are read in the order of the list, skipping the others. */
const MAX_SORTED = 100;
/** Pages read at once from a part of a long list. */
const BATCH = 500;

const isSameIndex = (a: object, b: object): boolean => Object.keys(a).join() === Object.keys(b).join();

const isByNotesOfMany = ({ hint, sort }: PageQueryPlan, crawlIds: readonly string[]): boolean =>
  crawlIds.length > 1 && hint !== undefined && 'notes.id' in sort;

/** The order with the id as last key. A sort in memory needs it to be the same for every page of a list. */
const withId = (sort: PageQueryPlan['sort']): PageQueryPlan['sort'] =>
  '_id' in sort ? sort : { ...sort, _id: Object.values(sort).at(-1) ?? 1 };

/** The field that a projection must name to show an order's key. */
const shownField = (field: string): string => field.replace('.0.', '.');

type Unshown = Record<string, 0>;

/** Fields that no list shows, and those that only lists of a QA run show. */
const unshownOf = ({ qa }: PageFilter): Unshown => ({ titleTerms: 0, titleLength: 0, ...(qa ? {} : { qa: 0 }) });

/** All captures of one address. */
export interface UrlCaptures {
  readonly url: string;
  readonly captures: Page[];
}

/** Splits items into queries that need no sort. Each item is read once per requested address. */
const partsOf = (crawlIds: readonly string[], { urls }: PageFilter): string[][] =>
  chunksOf(crawlIds, Math.max(1, Math.floor(ITEMS_PER_MERGE / (urls?.length ?? 1))));

/** Lists and searches over the pages of one item or of all items of a collection. */
@Injectable()
export class PagesQueries {
  private readonly pages: OrgScoped<Page>;
  private readonly titles: TitleSearch;
  private readonly unstored: UnstoredTitles;

  constructor(@InjectModel(Page.name) private readonly model: Model<Page>) {
    this.pages = new OrgScoped(model);
    this.titles = new TitleSearch(this.pages);
    this.unstored = new UnstoredTitles(this.pages);
  }

  /**
   * A page of one item's list, and how many pages the whole list has.
   * @param known counts that are known. After the first page all are, because a page is read from the nearer end
   */
  async page(
    oid: string,
    crawlId: string,
    request: ItemPageRequest,
    known: KnownPages = UNKNOWN,
  ): Promise<{ items: Page[]; total: number }> {
    const { sort = null, skip, limit } = request;
    const [crawlIds, bounds] = [[crawlId], { skip, limit }];
    const filter = await this.unstored.readable(oid, crawlIds, request.filter);
    const count = () => this.countOfItem(oid, crawlId, filter, skip === 0 ? known : { ...known, count: null });
    const read = (within: PageBounds, isReversed: boolean) =>
      this.read(oid, { crawlIds, filter, sort, ...within }, isReversed, known);
    if (!filter.hasManyUnstored || !sort) return pageAndTotal(bounds, count, read);
    // A merged list can only be read from its start.
    const [items, total] = await Promise.all([read(bounds, false), count()]);
    return { items, total };
  }

  async list(oid: string, request: PageListRequest): Promise<Page[]> {
    const { crawlIds, sort } = request;
    const filter = await this.unstored.readable(oid, crawlIds, request.filter, { isRanked: !sort });
    return this.read(oid, { ...request, filter }, false);
  }

  async count(oid: string, crawlIds: readonly string[], filter: PageFilter): Promise<number> {
    return this.countOf(oid, crawlIds, await this.unstored.readable(oid, crawlIds, filter));
  }

  /** @param isReversed true: from the end, the last page first; only for one item in an index's order */
  private async read(
    oid: string,
    request: PageListRequest,
    isReversed: boolean,
    known: KnownPages = UNKNOWN,
  ): Promise<Page[]> {
    const { crawlIds, filter, sort = null, skip, limit } = request;
    if (crawlIds.length === 0) return [];
    const plan = planPageQuery(crawlIds, filter, sort);
    const projection = unshownOf(filter);
    if (plan.rankedBy)
      return this.inOrder(
        oid,
        projection,
        await this.titles.ranked(oid, { ...request, terms: plan.rankedBy, isReversed }),
      );
    if (isReversed) plan.sort = reversedOrder(plan.sort);
    const few = await this.few(oid, request, { plan, known });
    if (few) return this.run(oid, { ...plan, ...few, sort: withId(plan.sort) }, { skip, limit, projection });
    const isOfOne = partsOf(crawlIds, filter).length === 1 && !isByNotesOfMany(plan, crawlIds);
    if (isOfOne && !filter.hasManyUnstored) return this.run(oid, plan, { skip, limit, projection });
    const pages = filter.hasManyUnstored
      ? this.withTitle(filter, this.merged(oid, request, { fields: { title: 1, titleTerms: 1 } }))
      : this.merged(oid, request, { limit: skip + limit });
    const ids: string[] = [];
    let at = 0;
    for await (const { _id } of pages) {
      if (at++ >= skip) ids.push(_id);
      if (ids.length >= limit) break;
    }
    return this.inOrder(oid, projection, ids);
  }

  /** Drops pages without stored words whose titles do not match. */
  private async *withTitle(filter: PageFilter, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
    const query = titleQueryOf(filter);
    const matchOf = query && unstoredMatcher(query);
    for await (const page of pages) if (page.titleTerms || matchOf?.(page)) yield page;
  }

  /** The pages with these ids, in the order of the ids. */
  private async inOrder(oid: string, projection: Unshown, ids: readonly string[]): Promise<Page[]> {
    const options = { limit: ids.length, hint: { _id: 1 }, projection } as const;
    const found = await this.pages.find(oid, { _id: { $in: [...ids] } }, options);
    return inOrderOf(ids, found);
  }

  private async countOfItem(oid: string, crawlId: string, filter: PageFilter, known: KnownPages): Promise<number> {
    if (known.count !== null && !asksAnything([crawlId], filter)) return known.count;
    const range = known.hasRun ? qaRangeOf([crawlId], filter) : null;
    return range ? countTotal(this.model, range, { hint: QA_VALUES }) : this.countOf(oid, [crawlId], filter);
  }

  private async countOf(oid: string, crawlIds: readonly string[], filter: PageFilter): Promise<number> {
    if (crawlIds.length === 0) return 0;
    const { unstored = [], ...ofStored } = filter;
    // Their words may be stored by now.
    const others = unstored.length > 0 ? { _id: { $nin: unstored.map(({ id }) => id) } } : {};
    const counts = countParts(ofStored).map(async ({ sign, filter: part, hint }) => {
      const options = hint ? { hint } : {};
      const plan = filter.hasManyUnstored ? planTitleText(crawlIds, part) : planPageQuery(crawlIds, part);
      return sign * (await this.pages.total(oid, { ...plan.filter, ...others }, options));
    });
    return (await Promise.all(counts)).reduce((sum, number) => sum + number, unstored.length);
  }

  /** The page of the org with the latest review or note, and its time. */
  async lastReview(oid: string): Promise<{ id: string; at: Date } | null> {
    const reviewed = { modified: { $gte: new Date(0) } };
    const options = { limit: 1, sort: { modified: -1, _id: -1 }, projection: { modified: 1 }, hint: REVIEWS } as const;
    const [page] = await this.pages.find(oid, reviewed, options);
    return page?.modified ? { id: page._id, at: page.modified } : null;
  }

  /** Finds few matches by the filter's index and sorts them. More are read in the order of the list. */
  private async few(
    oid: string,
    { crawlIds, filter, sort = null }: PageListRequest,
    { plan, known }: { plan: PageQueryPlan; known: KnownPages },
  ): Promise<Pick<PageQueryPlan, 'filter' | 'hint'> | null> {
    const hint = filterIndex(filter);
    if (!hint || !plan.hint || isSameIndex(hint, plan.hint)) return null;
    // In the values of the item's own run, the index alone tells that there are many.
    const range = known.hasRun ? qaRangeOf(crawlIds, filter) : null;
    if (range && (await countMatches(this.model, range, { hint, limit: MAX_SORTED + 1 })) > MAX_SORTED) return null;
    const { unstored = [], ...ofStored } = filter;
    const { filter: stored } = planPageQuery(crawlIds, ofStored, sort);
    const found = await this.pages.find(oid, stored, { hint, limit: MAX_SORTED + 1, projection: { _id: 1 } });
    const ids = new Set([...found.map(({ _id }) => _id), ...unstored.map(({ id }) => id)]);
    return ids.size > MAX_SORTED ? null : { filter: { ...plan.filter, _id: { $in: [...ids] } }, hint: { _id: 1 } };
  }

  /**
   * The first distinct addresses in the list's order, each with all its captures, oldest first.
   * @param maxUrls most addresses to return
   */
  async captures(
    oid: string,
    request: Omit<PageListRequest, 'skip' | 'limit'>,
    maxUrls: number,
  ): Promise<UrlCaptures[]> {
    const { crawlIds, filter } = request;
    if (crawlIds.length === 0) return [];
    const found = new Map<string, Page[]>();
    const fields = { url: 1, ts: 1, status: 1 } as const;
    for await (const page of this.merged(oid, { crawlIds, filter }, { fields })) {
      const known = found.get(page.url);
      if (known) known.push(page);
      else if (found.size < maxUrls) found.set(page.url, [page]);
      else break;
    }
    // In order of address all captures were found. In other orders later captures of an address are still missing.
    if (!filter.urlPrefix) await this.completeCaptures(oid, crawlIds, found);
    return [...found].map(([url, captures]) => ({ url, captures }));
  }

  private async completeCaptures(oid: string, crawlIds: readonly string[], found: Map<string, Page[]>): Promise<void> {
    for (const urls of chunksOf([...found.keys()], 100)) {
      const plan = planPageQuery(crawlIds, { urls });
      const all = this.pages.stream(oid, plan.filter, { projection: { url: 1, ts: 1, status: 1 } });
      const complete = new Map<string, Page[]>(urls.map((url) => [url, []]));
      for await (const page of all) complete.get(page.url)?.push(page);
      const byTime = comparePages({ ts: 1 });
      for (const [url, pages] of complete) found.set(url, pages.sort(byTime));
    }
  }

  /**
   * Streams the pages of any number of items in the list's order. The database merges parts of the items, and this
   * merges the parts. It holds one batch of each.
   * @param wanted `fields`: needed besides the order's own; `limit`: most pages that are read
   */
  private merged(
    oid: string,
    request: Omit<PageListRequest, 'skip' | 'limit'>,
    wanted: { fields?: Record<string, 1>; limit?: number },
  ): AsyncGenerator<Page> {
    const { crawlIds, filter, sort = null } = request;
    const whole = planPageQuery(crawlIds, filter, sort);
    if (isByNotesOfMany(whole, crawlIds)) return this.mergedByNotes(oid, request, wanted);
    const order = Object.keys(whole.sort).map((field) => [shownField(field), 1]);
    const { limit, fields } = wanted;
    const options = {
      projection: { ...Object.fromEntries(order), ...fields } as Record<string, 1>,
      ...(limit === undefined ? {} : { limit, batchSize: Math.min(limit, BATCH) }),
    };
    const streams = partsOf(crawlIds, filter).map((ids) => this.stream(oid, planPageQuery(ids, filter, sort), options));
    return mergeOrdered(streams, comparePages(whole.sort));
  }

  /** Merges pages with notes after those without, or before: MongoDB merges no scans by values in lists. */
  private async *mergedByNotes(
    oid: string,
    request: Omit<PageListRequest, 'skip' | 'limit'>,
    wanted: { fields?: Record<string, 1>; limit?: number },
  ): AsyncGenerator<Page> {
    for (const hasNotes of request.sort?.direction === 1 ? [false, true] : [true, false])
      yield* this.merged(oid, { ...request, filter: { ...request.filter, hasNotes } }, wanted);
  }

  private stream(oid: string, { filter, sort, hint }: PageQueryPlan, options: StreamOptions): AsyncGenerator<Page> {
    const order = { sort: sort as Record<string, SortOrder>, ...(hint ? { hint } : {}) };
    return this.pages.stream(oid, filter, { ...options, ...order });
  }

  private run(oid: string, plan: PageQueryPlan, bounds: PageBounds & { projection: Unshown }): Promise<Page[]> {
    const options: FindOptions<Page> = {
      ...bounds,
      sort: plan.sort as Record<string, SortOrder>,
      ...(plan.hint ? { hint: plan.hint } : {}),
    };
    return this.pages.find(oid, plan.filter, options);
  }
}
