import { Injectable } from '@nestjs/common';
import { FileRemover } from '../objects/file-remover.js';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { ProfilesQueries } from './data/profiles.queries.js';
import { ProfilesRepository } from './data/profiles.repository.js';

const BATCH = 100;

/** Profiles, for deleting orgs and recalculating storage. */
@OwnsOrgData('profiles', { after: ['seed files', 'resumable uploads'] })
@Injectable()
export class ProfilesOfOrg implements OrgDataOwner {
  constructor(
    private readonly profiles: ProfilesRepository,
    private readonly queries: ProfilesQueries,
    private readonly remover: FileRemover,
  ) {}

  async deleteForOrg(oid: string): Promise<void> {
    const bounds = { skip: 0, limit: BATCH };
    for (;;) {
      const { items } = await this.queries.list(oid, { needsAllTags: true }, null, bounds);
      for (const { _id, resource } of items) {
        const files = resource ? [resource] : [];
        const planned = await this.remover.plan(oid, files, undefined, { type: 'profile', id: _id });
        await this.remover.carryOut(planned);
        await this.profiles.delete(oid, _id);
      }
      if (items.length < BATCH) return;
    }
  }

  async bytesStored(oid: string): Promise<StoredBytes> {
    return { profile: await this.queries.totalSize(oid) };
  }
}
