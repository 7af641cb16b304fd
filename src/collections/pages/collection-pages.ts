import { Injectable } from '@nestjs/common';
import { OrgNotFound } from '../../common/errors/domain-error.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import type { Page } from '../../pages/data/page.schema.js';
import { PagesService } from '../../pages/pages.service.js';
import { found, openToAll } from '../collection-reader.js';
import { CollectionsQueries } from '../data/collections.queries.js';
import { CollectionsRepository } from '../data/collections.repository.js';
import type { CollectionPagesListQuery } from '../dto/collection-queries.dto.js';

/** Lists pages of all items of a collection. */
@Injectable()
export class CollectionPages {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly queries: CollectionsQueries,
    private readonly pages: PagesService,
    private readonly orgs: OrgsRepository,
  ) {}

  /** @throws CollectionNotFound */
  async ofOrg(oid: string, collectionId: string, query: CollectionPagesListQuery): Promise<Page[]> {
    found(await this.collections.find(oid, collectionId));
    return this.search(oid, collectionId, query);
  }

  /** @throws OrgNotFound, CollectionNotFound */
  async publicly(oid: string, collectionId: string, query: CollectionPagesListQuery): Promise<Page[]> {
    const [org, collection] = await Promise.all([this.orgs.findById(oid), this.collections.find(oid, collectionId)]);
    if (!org) throw new OrgNotFound();
    openToAll(collection);
    return this.search(oid, collectionId, query);
  }

  private async search(oid: string, collectionId: string, query: CollectionPagesListQuery): Promise<Page[]> {
    return this.pages.search(oid, await this.queries.memberIds(oid, collectionId), query);
  }
}
