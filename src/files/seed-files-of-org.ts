import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { SeedFilesRepository } from './data/seed-files.repository.js';
import { SeedFileStore } from './seed-file-store.js';

const BATCH = 100;

/** Seed files, for the deletion of orgs and the recalculation of storage. */
@OwnsOrgData('seed files', { after: 'workflows' })
@Injectable()
export class SeedFilesOfOrg implements OrgDataOwner {
  constructor(
    private readonly files: SeedFilesRepository,
    private readonly store: SeedFileStore,
  ) {}

  async deleteForOrg(oid: string): Promise<void> {
    for (;;) {
      const files = await this.files.list(oid, { skip: 0, limit: BATCH }, null);
      for (const file of files) {
        await this.store.delete(oid, file.filename, file.storage);
        await this.files.delete(oid, file._id);
      }
      if (files.length < BATCH) return;
    }
  }

  async bytesStored(oid: string): Promise<StoredBytes> {
    return { seedFile: await this.files.totalSize(oid) };
  }
}
