import { Injectable } from '@nestjs/common';
import type { StoredKind } from './org-usage.js';

/** Bytes per kind; what is absent is 0. */
export type StoredBytes = Partial<Record<StoredKind, number>>;

/** A room that keeps data of orgs. Org deletion and the recalculation of storage ask every one of them. */
export interface OrgDataOwner {
  readonly name: string;
  /** Deleted in ascending order: 10 items, 20 workflows, 30 files, 40 profiles, 50 collections, 90 the rest (accounts §11). */
  readonly order: number;
  /** Deletes all documents and objects of the org. Called again from the start after a crash, so it is idempotent. */
  deleteForOrg(oid: string): Promise<void>;
  /** Sums the sizes of what is stored, from the documents. */
  bytesStored(oid: string): Promise<StoredBytes>;
}

/** Where rooms register what they keep for orgs; they do so in `onModuleInit`. */
@Injectable()
export class OrgData {
  private readonly registered: OrgDataOwner[] = [];

  register(owner: OrgDataOwner): void {
    this.registered.push(owner);
  }

  /** In the order of deletion. */
  owners(): readonly OrgDataOwner[] {
    return [...this.registered].sort((a, b) => a.order - b.order);
  }

  async bytesStored(oid: string): Promise<Required<StoredBytes>> {
    const sums = { crawl: 0, upload: 0, profile: 0, seedFile: 0, thumbnail: 0, dedupeIndex: 0 };
    for (const owner of this.registered) {
      const bytes = await owner.bytesStored(oid);
      for (const kind of Object.keys(sums) as StoredKind[]) sums[kind] += bytes[kind] ?? 0;
    }
    return sums;
  }
}
