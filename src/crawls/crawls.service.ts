import { Injectable } from '@nestjs/common';
import { checkSort, pageBounds, pageOf, type ListPage, type PageQuery } from '../common/pagination/page.js';
import { givenText } from '../common/validation/percent-decoding.js';
import { toSeedPage } from '../items/crawl-config.presenter.js';
import { knownStates, type ItemFilter } from '../items/data/item-filter.js';
import { RUNNING_AND_WAITING } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import { ItemsQueries } from '../items/data/items.queries.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { CrawlOut } from '../items/dto/items.dto.js';
import type { Seed } from '../items/dto/crawl-config.dto.js';
import { CrawlNotFound, ItemNotFound } from '../items/items.errors.js';
import { ListedItems } from '../items/listed-items.js';
import type { AcrossOrgsQuery, CrawlsQuery } from './dto/crawls.dto.js';

const SORT_FIELDS = [
  'started',
  'finished',
  'fileSize',
  'firstSeed',
  'reviewStatus',
  'qaRunCount',
  'lastQAState',
  'lastQAStarted',
  'crawlExecSeconds',
  'pageCount',
];

/** Crawls as lists and single reads. Contract: crawling §5.1, §5.2. */
@Injectable()
export class CrawlsService {
  constructor(
    private readonly queries: ItemsQueries,
    private readonly items: ItemsRepository,
    private readonly listed: ListedItems,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection */
  async list(oid: string, query: CrawlsQuery): Promise<ListPage<CrawlOut>> {
    const filter: ItemFilter = { ...query, ...decoded(query), type: 'crawl', states: knownStates(query.state) };
    const sort = checkSort(SORT_FIELDS, query.sortBy, query.sortDirection);
    const { items, total } = await this.queries.page(oid, { filter, sort, bounds: pageBounds(query) });
    return pageOf(query, total, await this.listed.of(items));
  }

  /** Lists crawls of all orgs, for superusers. @throws InvalidSortBy, InvalidSortDirection */
  async listAcrossOrgs(query: AcrossOrgsQuery): Promise<ListPage<CrawlOut>> {
    const states = knownStates(query.state);
    const active = query.runningOnly && !states ? [...RUNNING_AND_WAITING] : null;
    const { userid, cid, collectionId, ids } = query;
    const filter: ItemFilter = {
      ...{ userid, cid, collectionId, ids },
      ...decoded(query),
      type: 'crawl',
      states: states ?? active,
    };
    const sort = checkSort(SORT_FIELDS, query.sortBy, query.sortDirection);
    const { items, total } = await this.queries.pageAcrossOrgs({ filter, sort, bounds: pageBounds(query) });
    return pageOf(query, total, await this.listed.of(items));
  }

  /** @throws CrawlNotFound */
  async get(oid: string | null, crawlId: string): Promise<CrawlOut> {
    const item = await this.find(oid, crawlId);
    if (!item) throw new CrawlNotFound();
    const [out] = await this.listed.of([item]);
    return out as CrawlOut;
  }

  /** The crawl as it is stored. @param oid null: of any org, for superusers. @throws ItemNotFound */
  async stored(oid: string | null, crawlId: string): Promise<Item> {
    const item = await this.find(oid, crawlId);
    if (!item) throw new ItemNotFound(crawlId);
    return item;
  }

  /** The start addresses of a crawl's own config. @throws ItemNotFound */
  async seeds(oid: string, crawlId: string, query: PageQuery): Promise<ListPage<Seed>> {
    const { config } = await this.stored(oid, crawlId);
    return toSeedPage(query, { seeds: config?.seeds ?? [] });
  }

  private async find(oid: string | null, crawlId: string): Promise<Item | null> {
    return oid ? this.items.findById(oid, crawlId, 'crawl') : this.items.findByIdAcrossOrgs(crawlId, 'crawl');
  }
}

/** Decodes texts that clients encode twice. */
const decoded = ({ firstSeed, name, description }: Pick<CrawlsQuery, 'firstSeed' | 'name' | 'description'>) => ({
  firstSeed: givenText(firstSeed),
  name: givenText(name),
  description: givenText(description),
});
