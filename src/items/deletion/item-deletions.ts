import { Injectable } from '@nestjs/common';
import type { OrgAccess, Principal } from '../../common/access/access.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { ItemDeleter } from './item-deleter.js';
import { NothingToDelete } from '../item-list.errors.js';

/** Deletes items of both types at once. Contract: crawling §6. */
@Injectable()
export class ItemDeletions {
  constructor(
    private readonly deleter: ItemDeleter,
    private readonly usage: OrgUsage,
  ) {}

  /**
   * @returns whether the org's storage quota is still reached
   * @throws NothingToDelete, ItemNotFound, NotAllowed, FileDeletionError
   */
  async deleteAll(access: OrgAccess, caller: Principal, itemIds: readonly string[]): Promise<boolean> {
    if (itemIds.length === 0) throw new NothingToDelete();
    await this.deleter.delete(access, caller, itemIds, null);
    return (await this.usage.quotaFlags(access.oid)).storageQuotaReached;
  }
}
