import { Injectable } from '@nestjs/common';
import { checkSort, pageBounds, pageOf, type ListPage } from '../common/pagination/page.js';
import { givenText } from '../common/validation/percent-decoding.js';
import { wireTimeOrNull } from '../common/validation/date-time.js';
import type { Org } from '../orgs/data/org.schema.js';
import { PagesQueries } from '../pages/data/pages.queries.js';
import { CollectionReader, found } from './collection-reader.js';
import { toCollOut } from './collection.presenter.js';
import type { Collection } from './data/collection.schema.js';
import {
  CollectionsQueries,
  COLLECTION_SORT_FIELDS,
  type CollectionFilter,
  type CollectionSort,
} from './data/collections.queries.js';
import { CollectionsRepository } from './data/collections.repository.js';
import type { CollOut } from './dto/collections.dto.js';
import type { CollectionsQuery, PageUrlCountsQuery } from './dto/collection-queries.dto.js';
import type { PageUrlCount } from './dto/collection-pages.dto.js';

@Injectable()
export class CollectionLists {
  constructor(
    private readonly queries: CollectionsQueries,
    private readonly repository: CollectionsRepository,
    private readonly reader: CollectionReader,
    private readonly pageQueries: PagesQueries,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection */
  async list(org: Org, query: CollectionsQuery, origin: string): Promise<ListPage<CollOut>> {
    const { name, namePrefix, hasDedupeIndex, access } = query;
    const filter: CollectionFilter = { name, namePrefix, hasDedupeIndex, access };
    const [items, total] = await Promise.all([
      this.sorted(org._id, filter, query),
      this.queries.count(org._id, filter),
    ]);
    const shown = items.map((one) => toCollOut(one, { thumbnailUrl: this.reader.thumbnailUrl(org, one, origin) }));
    return pageOf(query, total, shown);
  }

  /** @throws InvalidSortBy, InvalidSortDirection */
  async sorted(
    oid: string,
    filter: CollectionFilter,
    query: { page: number; pageSize: number; sortBy?: string | null; sortDirection: number },
  ): Promise<Collection[]> {
    const sort = checkSort(COLLECTION_SORT_FIELDS, query.sortBy, query.sortDirection) as CollectionSort | null;
    return this.queries.list(oid, filter, sort, pageBounds(query));
  }

  async names(oid: string): Promise<string[]> {
    return this.queries.names(oid);
  }

  /** Lists addresses with their captures. @throws CollectionNotFound */
  async urlCounts(oid: string, collectionId: string, query: PageUrlCountsQuery): Promise<PageUrlCount[]> {
    found(await this.repository.find(oid, collectionId));
    const crawlIds = await this.queries.memberIds(oid, collectionId);
    const filter = { urlPrefix: givenText(query.urlPrefix) };
    const groups = await this.pageQueries.captures(oid, { crawlIds, filter }, query.pageSize);
    return groups.map(({ url, captures }) => ({
      url,
      count: captures.length,
      snapshots: captures.map(({ _id, ts, status }) => ({
        pageId: _id,
        ts: wireTimeOrNull(ts),
        status: status ?? 200,
      })),
    }));
  }
}
