import { Injectable } from '@nestjs/common';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { Item } from './data/item.schema.js';
import { ItemsRepository } from './data/items.repository.js';
import type { CrawlOutWithResources } from './dto/items.dto.js';
import { ItemDetails } from './item-details.js';
import { ItemDownloads, type NamedDownload } from './item-downloads.js';
import { ItemNotFound } from './items.errors.js';

export interface DetailRequest {
  readonly withDependencies: boolean;
  readonly origin: string;
}

/** Finds one item of any type by its id. */
@Injectable()
export class ItemReader {
  constructor(
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly details: ItemDetails,
    private readonly downloads: ItemDownloads,
  ) {}

  /** Finds an item. @param type the only type that the route serves; any by default @throws ItemNotFound */
  async get(oid: string, itemId: string, type?: Item['type']): Promise<Item> {
    const item = await this.items.findById(oid, itemId, type);
    if (!item) throw new ItemNotFound(itemId);
    return item;
  }

  /** @throws ItemNotFound */
  async detail(org: Org, itemId: string, request: DetailRequest, type?: Item['type']): Promise<CrawlOutWithResources> {
    return this.present(org, await this.get(org._id, itemId, type), request);
  }

  /** @throws ItemNotFound */
  async detailAcrossOrgs(itemId: string, request: DetailRequest, type?: Item['type']): Promise<CrawlOutWithResources> {
    const item = await this.items.findByIdAcrossOrgs(itemId, type);
    const org = item && (await this.orgs.findById(item.oid));
    if (!org) throw new ItemNotFound(itemId);
    return this.present(org, item, request);
  }

  /** @throws ItemNotFound, NoCrawlResources */
  async download(
    org: Org,
    itemId: string,
    options: { preferSingleWACZ?: boolean; withDependencies?: boolean; type?: Item['type'] },
  ): Promise<NamedDownload> {
    return this.downloads.ofItem(org, await this.get(org._id, itemId, options.type), options);
  }

  private present(org: Org, item: Item, { withDependencies, origin }: DetailRequest): Promise<CrawlOutWithResources> {
    return this.details.of(org, item, { withDependencies, origin });
  }
}
