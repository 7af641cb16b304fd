import { Injectable } from '@nestjs/common';
import { pageBounds, pageOf, type ListPage as ListPage, type PageQuery } from '../common/pagination/page.js';
import { ItemPagesQueries } from '../items/data/item-pages.queries.js';
import type { PageFilter, PageSort } from './data/page-query.js';
import { PagesQueries } from './data/pages.queries.js';
import { PagesRepository } from './data/pages.repository.js';
import type { Page } from './data/page.schema.js';
import type { CrawlPagesQuery, ItemPagesQuery, PageSearchQuery, QaPagesQuery } from './dto/page-queries.dto.js';
import { toPageFilter, toPageSort, toQaFilter } from './page-input.js';
import { PageNotFound } from './pages.errors.js';

/** Pages shown at once when an item or a collection is opened in the player (archive §5.1, §7). */
const INITIAL_PAGES = 25;

/** Reads pages. An unknown item has no pages: that is an empty list, not an error. */
@Injectable()
export class PagesService {
  constructor(
    private readonly queries: PagesQueries,
    private readonly repository: PagesRepository,
    private readonly items: ItemPagesQueries,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection, QaRunMissingForSort */
  async listOfItem(oid: string, crawlId: string, query: ItemPagesQuery): Promise<ListPage<Page>> {
    return this.paged(oid, crawlId, query, { filter: toPageFilter(query), sort: toPageSort(query, false) });
  }

  /** Lists an item's pages, optionally restricted by a QA run's values. @throws as `listOfItem`, and RangeMissing */
  async listOfCrawl(oid: string, crawlId: string, query: CrawlPagesQuery): Promise<ListPage<Page>> {
    const qa = query.qaRunId ? toQaFilter(query.qaRunId, query) : null;
    return this.paged(oid, crawlId, query, { filter: toPageFilter(query, qa), sort: toPageSort(query, qa !== null) });
  }

  /** Lists only pages that the run looked at. @throws as `listOfItem`, and RangeMissing */
  async listOfQaRun(
    oid: string,
    run: { crawlId: string; qaRunId: string },
    query: QaPagesQuery,
  ): Promise<ListPage<Page>> {
    const filter = toPageFilter(query, toQaFilter(run.qaRunId, query));
    return this.paged(oid, run.crawlId, query, { filter, sort: toPageSort(query, true) });
  }

  /** Searches pages of any number of items, without a total. */
  async search(
    oid: string,
    crawlIds: readonly string[],
    query: PageSearchQuery & { urlPrefix?: string | null; sortBy?: string | null; sortDirection?: number | null },
  ): Promise<Page[]> {
    const request = { crawlIds, filter: toPageFilter(query), sort: toPageSort(query, false) };
    return this.queries.list(oid, { ...request, ...pageBounds(query) });
  }

  /** The first pages: seeds first, then by time. */
  async initialPages(oid: string, crawlIds: readonly string[]): Promise<Page[]> {
    return this.queries.list(oid, { crawlIds, filter: {}, skip: 0, limit: INITIAL_PAGES });
  }

  /** @throws PageNotFound */
  async get(oid: string, crawlId: string, pageId: string): Promise<Page> {
    const page = await this.repository.findInItem(oid, crawlId, pageId);
    if (!page) throw new PageNotFound();
    return page;
  }

  private async paged(
    oid: string,
    crawlId: string,
    query: PageQuery,
    { filter, sort }: { filter: PageFilter; sort: PageSort | null },
  ): Promise<ListPage<Page>> {
    const known = await this.items.knownOf(oid, crawlId, filter.qa?.runId);
    const { items, total } = await this.queries.page(oid, crawlId, { filter, sort, ...pageBounds(query) }, known);
    return pageOf(query, total, items);
  }
}
