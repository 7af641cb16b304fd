import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, SortOrder } from 'mongoose';
import { OrgScoped, type FindOptions } from '../../database/org-scoped.js';
import { Page } from './page.schema.js';
import { planPageQuery, type PageFilter, type PageQueryPlan, type PageSort } from './page-query.js';

/** MongoDB merges ordered scans of up to 200 items (internalQueryMaxScansToExplode); beyond it sorts everything. */
const ITEMS_PER_MERGE = 150;
/** So many pages ahead of the asked-for one are merged here; further back the database sorts. */
const MAX_MERGED = 5000;

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

type Value = string | number | boolean | Date | null | undefined;

function rank(value: Value): number {
  if (value === null || value === undefined) return 0;
  return typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : typeof value === 'boolean' ? 3 : 4;
}

/** The database's order of values. */
function compare(a: Value, b: Value): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  const [left, right] = [Number(a ?? 0), Number(b ?? 0)];
  return left - right;
}

const valueOf = (page: Page, field: string): Value =>
  field === 'notes.id' ? page.notes?.map(({ id }) => id).sort()[0] : (page[field as keyof Page] as Value);

function comparePages(sort: PageQueryPlan['sort']): (a: Page, b: Page) => number {
  const fields = Object.entries(sort) as [string, 1 | -1][];
  return (a, b) => {
    for (const [field, direction] of fields) {
      const order = compare(valueOf(a, field), valueOf(b, field)) * direction;
      if (order !== 0) return order;
    }
    return a._id < b._id ? -1 : a._id > b._id ? 1 : 0;
  };
}

const chunksOf = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

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
    const isMergeable = plan.hint !== undefined && crawlIds.length > ITEMS_PER_MERGE && skip + limit <= MAX_MERGED;
    if (!isMergeable) return this.run(oid, plan, { skip, limit });
    const parts = await Promise.all(
      chunksOf(crawlIds, ITEMS_PER_MERGE).map((ids) =>
        this.run(oid, planPageQuery(ids, filter, sort), { skip: 0, limit: skip + limit }),
      ),
    );
    return parts
      .flat()
      .sort(comparePages(plan.sort))
      .slice(skip, skip + limit);
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
    const plan = planPageQuery(crawlIds, filter);
    const projection = { url: 1, ts: 1, status: 1 } as const;
    for await (const page of this.pages.stream(oid, plan.filter, {
      sort: plan.sort as Record<string, SortOrder>,
      projection,
    })) {
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

  private run(oid: string, plan: PageQueryPlan, bounds: { skip: number; limit: number }): Promise<Page[]> {
    const options: FindOptions<Page> = {
      ...bounds,
      sort: plan.sort as Record<string, SortOrder>,
      ...(plan.hint ? { hint: plan.hint } : {}),
    };
    return this.pages.find(oid, plan.filter, options);
  }
}
