import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { DedupeCopiesRepository } from './data/dedupe-copies.repository.js';
import { DedupeHashesRepository } from './data/dedupe-hashes.repository.js';
import { DedupeSourcesRepository } from './data/dedupe-sources.repository.js';

/** The dedupe indexes of an org. They are in the database, so they count no stored bytes. */
@OwnsOrgData('dedupe', { after: 'items' })
@Injectable()
export class IndexesOfOrg implements OrgDataOwner {
  constructor(
    private readonly hashes: DedupeHashesRepository,
    private readonly sources: DedupeSourcesRepository,
    private readonly copies: DedupeCopiesRepository,
  ) {}

  async deleteForOrg(oid: string): Promise<void> {
    await this.copies.deleteAllOf(oid);
    for (const collectionId of await this.sources.collectionsOf(oid)) {
      await this.hashes.deleteAll(collectionId);
      await this.sources.deleteAllOf(oid, collectionId);
    }
  }

  bytesStored(): Promise<StoredBytes> {
    return Promise.resolve({});
  }
}
