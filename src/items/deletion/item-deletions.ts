import { Injectable } from '@nestjs/common';
import type { OrgAccess, Principal } from '../../common/access/access.js';
import type { DeletedResponseQuota } from '../../common/responses/responses.dto.js';
import type { DeleteCrawlList } from '../dto/items.dto.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { NothingToDelete } from '../item-list.errors.js';
import { DeletionRequests } from './deletion-requests.js';

/** Deletes items of both types at once. Contract: crawling §6. */
@Injectable()
export class ItemDeletions {
  constructor(
    private readonly requests: DeletionRequests,
    private readonly usage: OrgUsage,
  ) {}

  /** @throws NothingToDelete, ItemNotFound, NotAllowed, FileDeletionError */
  async deleteAll(
    access: OrgAccess,
    caller: Principal,
    { crawl_ids: itemIds, retain }: DeleteCrawlList,
  ): Promise<DeletedResponseQuota> {
    if (itemIds.length === 0) throw new NothingToDelete();
    const { brokenItems } = await this.requests.delete(access, caller, { itemIds, type: null, retain });
    const { storageQuotaReached } = await this.usage.quotaFlags(access.oid);
    return { deleted: true, storageQuotaReached, ...(brokenItems ? { brokenItems } : {}) };
  }
}
