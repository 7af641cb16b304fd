import { Injectable } from '@nestjs/common';
import type { OrgAccess, Principal } from '../common/access/access.js';
import { DeletionRequests } from '../items/deletion/deletion-requests.js';
import type { DeleteCrawlList } from '../items/dto/items.dto.js';
import { CrawlNotFound } from '../items/items.errors.js';
import { OrgUsage } from '../orgs/org-usage.js';
import type { DeletedCountResponseQuota } from './dto/crawls.dto.js';

/** Deletion of crawls, as their own routes offer it. Contract: crawling §5.7. */
@Injectable()
export class CrawlDeletion {
  constructor(
    private readonly requests: DeletionRequests,
    private readonly usage: OrgUsage,
  ) {}

  /** Uploads among the ids are skipped. @throws as `DeletionRequests.delete`; CrawlNotFound when nothing was deleted */
  async delete(
    access: OrgAccess,
    caller: Principal,
    { crawl_ids: itemIds, retain }: DeleteCrawlList,
  ): Promise<DeletedCountResponseQuota> {
    const { deleted, brokenItems } = await this.requests.delete(access, caller, { itemIds, type: 'crawl', retain });
    if (deleted === 0) throw new CrawlNotFound();
    const { storageQuotaReached } = await this.usage.quotaFlags(access.oid);
    return { deleted, storageQuotaReached, ...(brokenItems ? { brokenItems } : {}) };
  }
}
