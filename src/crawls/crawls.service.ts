import { Injectable } from '@nestjs/common';
import { checkSort, pageBounds, pageOf, type Page, type PageQuery } from '../common/pagination/page.js';
import { decodedOnce } from '../common/validation/percent-decoding.js';
import { knownStates, type ItemFilter } from '../items/data/item-filter.js';
import { RUNNING_AND_WAITING } from '../items/data/item-state.schema.js';
import type { Item } from '../items/data/item.schema.js';
import { ItemsQueries } from '../items/data/items.queries.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { CrawlOut } from '../items/dto/crawl-out.dto.js';
import type { Seed } from '../items/dto/seed.dto.js';
import { toCrawlOut } from '../items/item.presenter.js';
import { CrawlNotFound, ItemNotFound } from '../items/items.errors.js';
import { ProfilesRepository } from '../profiles/data/profiles.repository.js';
import type { AcrossOrgsQuery, CrawlsQuery } from './dto/crawl-queries.dto.js';

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
    private readonly profiles: ProfilesRepository,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection */
  async list(oid: string, query: CrawlsQuery): Promise<Page<CrawlOut>> {
    const filter: ItemFilter = { ...query, ...decoded(query), type: 'crawl', states: knownStates(query.state) };
    const sort = checkSort(SORT_FIELDS, query.sortBy, query.sortDirection);
    const { items, total } = await this.queries.page(oid, { filter, sort, bounds: pageBounds(query) });
    return pageOf(query, total, await this.present(items));
  }

  /** For superusers. @throws InvalidSortBy, InvalidSortDirection */
  async listAcrossOrgs(query: AcrossOrgsQuery): Promise<Page<CrawlOut>> {
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
    const [items, total] = await Promise.all([
      this.queries.listAcrossOrgs({ filter, sort, bounds: pageBounds(query) }),
      this.queries.countAcrossOrgs(filter),
    ]);
    return pageOf(query, total, await this.present(items));
  }

  /** @throws CrawlNotFound */
  async get(oid: string | null, crawlId: string): Promise<CrawlOut> {
    const item = await this.find(oid, crawlId);
    if (!item) throw new CrawlNotFound();
    const [out] = await this.present([item]);
    return out as CrawlOut;
  }

  /** @param oid null: of any org, for superusers. @throws ItemNotFound */
  async stored(oid: string | null, crawlId: string): Promise<Item> {
    const item = await this.find(oid, crawlId);
    if (!item) throw new ItemNotFound(crawlId);
    return item;
  }

  /** The start addresses of a crawl's own config. @throws ItemNotFound */
  async seeds(oid: string, crawlId: string, query: PageQuery): Promise<Page<Seed>> {
    const seeds = (await this.stored(oid, crawlId)).config?.seeds ?? [];
    const { skip, limit } = pageBounds(query);
    const shown = seeds.slice(skip, skip + limit).map((seed) => ({
      url: seed.url,
      scopeType: seed.scopeType ?? null,
      include: seed.include ?? null,
      exclude: seed.exclude ?? null,
      sitemap: seed.sitemap ?? null,
      allowHash: seed.allowHash ?? null,
      depth: seed.depth ?? null,
      extraHops: seed.extraHops ?? null,
    }));
    return pageOf(query, seeds.length, shown);
  }

  private async find(oid: string | null, crawlId: string): Promise<Item | null> {
    return oid ? this.items.findById(oid, crawlId, 'crawl') : this.items.findByIdAcrossOrgs(crawlId, 'crawl');
  }

  /** Profiles are named once for the page, org by org. */
  private async present(items: readonly Item[]): Promise<CrawlOut[]> {
    const byOrg = new Map<string, Set<string>>();
    for (const { oid, profileid } of items) if (profileid) byOrg.set(oid, (byOrg.get(oid) ?? new Set()).add(profileid));
    const found = await Promise.all([...byOrg].map(([oid, ids]) => this.profiles.namesOf(oid, [...ids])));
    const names = new Map(found.flatMap((map) => [...map]));
    return items.map((item) =>
      toCrawlOut(item, { profileName: item.profileid ? (names.get(item.profileid) ?? '') : null }),
    );
  }
}

/** Texts that clients encode twice. */
const decoded = ({ firstSeed, name, description }: Pick<CrawlsQuery, 'firstSeed' | 'name' | 'description'>) => ({
  firstSeed: firstSeed && decodedOnce(firstSeed),
  name: name && decodedOnce(name),
  description: description && decodedOnce(description),
});
