import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, SortOrder } from 'mongoose';
import { OrgScoped, type FindOptions } from '../../database/org-scoped.js';
import { Page } from './page.schema.js';
import { comparePages, mergeOrdered } from './page-merge.js';
import { planPageQuery, type PageFilter, type PageQueryPlan, type PageSort } from './page-query.js';

/** MongoDB merges ordered scans of up to 200 items (internalQueryMaxScansToExplode); beyond it sorts everything. */
const ITEMS_PER_MERGE = 150;

export interface PageListRequest {
  crawlIds: readonly string[];
  filter: PageFilter;
  sort?: PageSort | null;
  skip: number;
  limit: number;
}

/** All captures of one address. */
export interface UrlCaptures {
  url: string;
  captures: Page[];
}

const chunksOf = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

/** Items that one query of the database takes without sorting: each is read once per address asked for. */
const partsOf = (crawlIds: readonly string[], { urls }: PageFilter): string[][] =>
  chunksOf(crawlIds, Math.max(1, Math.floor(ITEMS_PER_MERGE / (urls?.length ?? 1))));

/** Lists and searches over the pages of one item or of all items of a collection. */
@Injectable()
export class PagesQueries {
  private readonly pages: OrgScoped<Page>;

  constructor(@InjectModel(Page.name) private readonly model: Model<Page>) {
    this.pages = new OrgScoped(model);
  }

  async list(oid: string, request: PageListRequest): Promise<Page[]> {
    const { crawlIds, filter, sort = null, skip, limit } = request;
    if (crawlIds.length === 0) return [];
    const plan = planPageQuery(crawlIds, filter, sort);
    const parts = partsOf(crawlIds, filter);
    if (plan.hint === undefined || parts.length === 1) return this.run(oid, plan, { skip, limit });
    const ids: string[] = [];
    let at = 0;
    for await (const { _id } of this.merged(oid, request)) {
      if (at++ >= skip) ids.push(_id);
      if (ids.length >= limit) break;
    }
    const found = await this.pages.find(oid, { _id: { $in: ids } }, { limit: ids.length });
    const byId = new Map(found.map((page) => [page._id, page]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async count(oid: string, crawlIds: readonly string[], filter: PageFilter): Promise<number> {
    if (crawlIds.length === 0) return 0;
    return this.pages.count(oid, planPageQuery(crawlIds, filter).filter);
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
    for await (const page of this.merged(oid, { crawlIds, filter }, { ts: 1, status: 1 })) {
      const known = found.get(page.url);
      if (known) known.push(page);
      else if (found.size < maxUrls) found.set(page.url, [page]);
      else break;
    }
    // In order of address every capture was met; in another order the later ones of an address are still to come.
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
   * Streams the pages of any number of items in the list's order: part by part as the database merges them, and the
   * parts merged here. Holds one page of each part.
   * @param more fields wanted besides the order's own
   */
  private merged(
    oid: string,
    { crawlIds, filter, sort = null }: Omit<PageListRequest, 'skip' | 'limit'>,
    more: Record<string, 1> = {},
  ): AsyncGenerator<Page> {
    const { sort: order } = planPageQuery(crawlIds, filter, sort);
    const projection = { ...Object.fromEntries(Object.keys(order).map((field) => [field, 1])), url: 1, ...more };
    const streams = partsOf(crawlIds, filter).map((ids) => {
      const plan = planPageQuery(ids, filter, sort);
      const options = { sort: plan.sort as Record<string, SortOrder>, projection };
      return this.pages.stream(oid, plan.filter, plan.hint ? { ...options, hint: plan.hint } : options);
    });
    return mergeOrdered(streams, comparePages(order));
  }

  private run(oid: string, plan: PageQueryPlan, bounds: { skip: number; limit: number }): Promise<Page[]> {
    const options: FindOptions<Page> = {
      ...bounds,
      sort: plan.sort as Record<string, SortOrder>,
      ...(plan.hint ? { hint: plan.hint } : {}),
    };
    return this.pages.find(oid, plan.filter, options);
  }
}
