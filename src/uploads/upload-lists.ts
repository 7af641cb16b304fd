import { Injectable } from '@nestjs/common';
import type { OrgAccess, Principal } from '../common/access/access.js';
import type { ListPage } from '../common/pagination/page.js';
import type { CrawlOut, DeleteCrawlList } from '../items/dto/items.dto.js';
import { toCrawlOut } from '../items/item.presenter.js';
import { DeletionRequests } from '../items/deletion/deletion-requests.js';
import { ItemReader } from '../items/item-reader.js';
import { ItemsService } from '../items/items.service.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { UploadedCrawlNotFound } from './uploads.errors.js';
import type { UploadListQuery } from './dto/uploads.dto.js';

/** Lists items narrowed to uploads. */
@Injectable()
export class UploadLists {
  constructor(
    private readonly items: ItemsService,
    private readonly reader: ItemReader,
    private readonly requests: DeletionRequests,
    private readonly usage: OrgUsage,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection */
  async list(oid: string, query: UploadListQuery): Promise<ListPage<CrawlOut>> {
    return this.items.list(oid, { ...query, crawlType: 'upload', tagMatch: null });
  }

  /** @throws ItemNotFound, NotAllowed, UploadedCrawlNotFound, FileDeletionError */
  async delete(access: OrgAccess, caller: Principal, { crawl_ids: itemIds, retain }: DeleteCrawlList) {
    const { deleted, brokenItems } = await this.requests.delete(access, caller, { itemIds, type: 'upload', retain });
    if (deleted === 0) throw new UploadedCrawlNotFound();
    const { storageQuotaReached } = await this.usage.quotaFlags(access.oid);
    return { deleted: true, storageQuotaReached, ...(brokenItems ? { brokenItems } : {}) };
  }

  async tagCounts(oid: string): Promise<{ tag: string; count: number }[]> {
    return this.items.tagCounts(oid, { crawlType: 'upload', onlySuccessful: false });
  }

  /** @throws ItemNotFound */
  async get(oid: string, itemId: string): Promise<CrawlOut> {
    return toCrawlOut(await this.reader.get(oid, itemId, 'upload'), { profileName: null });
  }
}
