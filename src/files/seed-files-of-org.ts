import { Injectable } from '@nestjs/common';
import { FileRemover } from '../objects/file-remover.js';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { SeedFilesRepository } from './data/seed-files.repository.js';

const BATCH = 100;

/** Seed files, for deleting orgs and recalculating storage. */
@OwnsOrgData('seed files', { after: 'workflows' })
@Injectable()
export class SeedFilesOfOrg implements OrgDataOwner {
  constructor(
    private readonly files: SeedFilesRepository,
    private readonly remover: FileRemover,
  ) {}

  async deleteForOrg(oid: string): Promise<void> {
    for (;;) {
      const files = await this.files.list(oid, { skip: 0, limit: BATCH }, null);
      await this.remover.carryOut(await this.remover.plan(oid, files));
      for (const { _id } of files) await this.files.delete(oid, _id);
      if (files.length < BATCH) return;
    }
  }

  async bytesStored(oid: string): Promise<StoredBytes> {
    return { seedFile: await this.files.totalSize(oid) };
  }
}
