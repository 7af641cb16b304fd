import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { ReplicaDeletions, type CopiedFile } from '../jobs/replica-deletions.js';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { Storages } from '../storage/storages.js';
import { ProfilesQueries } from './data/profiles.queries.js';
import { ProfilesRepository } from './data/profiles.repository.js';

const BATCH = 100;

/** The objects of profiles, also for the deletion of orgs and the recalculation of storage. */
@OwnsOrgData('profiles', { after: ['seed files', 'resumable uploads'] })
@Injectable()
export class ProfileFiles implements OrgDataOwner {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
    private readonly profiles: ProfilesRepository,
    private readonly queries: ProfilesQueries,
    private readonly copies: ReplicaDeletions,
  ) {}

  /** One job per copy, after the deployment's delay. */
  planDeletionOfCopies(oid: string, profileId: string, file: CopiedFile, tx: Tx): Promise<void> {
    return this.copies.plan(oid, [file], { type: 'profile', id: profileId }, tx);
  }

  /** The object in these storages. Idempotent. */
  async delete(oid: string, filename: string, refs: readonly StorageRef[]): Promise<void> {
    const org = await this.orgs.findById(oid);
    for (const ref of refs) {
      const store = org ? this.storages.resolve(org, ref) : this.storages.resolveDefault(ref);
      await store.delete(filename);
    }
  }

  async deleteForOrg(oid: string): Promise<void> {
    const bounds = { skip: 0, limit: BATCH };
    for (;;) {
      const { items } = await this.queries.list(oid, { needsAllTags: true }, null, bounds);
      for (const { _id, resource } of items) {
        if (resource) await this.delete(oid, resource.filename, [resource.storage, ...(resource.replicas ?? [])]);
        await this.profiles.delete(oid, _id);
      }
      if (items.length < BATCH) return;
    }
  }

  async bytesStored(oid: string): Promise<StoredBytes> {
    return { profile: await this.queries.totalSize(oid) };
  }
}
