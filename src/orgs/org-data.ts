import { Injectable, type OnModuleInit } from '@nestjs/common';
import { inOrder, placed, type Placed } from '../common/discovery/by-name.js';
import { Discovered } from '../common/discovery/discovered.js';
import { Mark, type Found } from '../common/discovery/mark.js';
import type { StoredKind } from './org-usage.js';

/** Bytes per kind. An absent kind counts as 0. */
export type StoredBytes = Partial<Record<StoredKind, number>>;

/** A room that keeps data of orgs. Org deletion and the recalculation of storage call all of them. */
export interface OrgDataOwner {
  /**
   * Deletes all documents and objects of the org. It is idempotent, because it is called again from the start after a
   * crash.
   */
  deleteForOrg(oid: string): Promise<void>;
  /** Sums the sizes of stored files, from the documents. */
  bytesStored(oid: string): Promise<StoredBytes>;
}

const OWNERS = new Mark<Placed, OrgDataOwner>();

/**
 * Marks a class that keeps data of orgs. Contract: accounts §11 for the order of deletion.
 * @param after owners whose data is deleted before
 */
export const OwnsOrgData = (
  name: string,
  { after }: { after?: string | string[] } = {},
): ReturnType<typeof OWNERS.onClass> => OWNERS.onClass(placed(name, after));

/** Finds the rooms that keep data of orgs. */
@Injectable()
export class OrgData implements OnModuleInit {
  /** The owners of data, in the order of deletion. */
  owners: readonly Found<Placed, OrgDataOwner>[] = [];

  constructor(private readonly discovered: Discovered) {}

  onModuleInit(): void {
    this.owners = inOrder('owner of data of orgs', this.discovered.with(OWNERS));
  }

  async bytesStored(oid: string): Promise<Required<StoredBytes>> {
    const sums = { crawl: 0, upload: 0, profile: 0, seedFile: 0, thumbnail: 0, dedupeIndex: 0 };
    for (const { wearer: owner } of this.owners) {
      const bytes = await owner.bytesStored(oid);
      for (const kind of Object.keys(sums) as StoredKind[]) sums[kind] += bytes[kind] ?? 0;
    }
    return sums;
  }
}
