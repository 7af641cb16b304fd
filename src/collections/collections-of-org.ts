import { Injectable } from '@nestjs/common';
import { FileRemover } from '../objects/file-remover.js';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { CollectionsRepository } from './data/collections.repository.js';

/** The data of an org's collections in its storage. */
@OwnsOrgData('collections', { after: 'profiles' })
@Injectable()
export class CollectionsOfOrg implements OrgDataOwner {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly files: FileRemover,
  ) {}

  async deleteForOrg(oid: string): Promise<void> {
    for await (const { thumbnail, indexFile } of this.collections.all(oid)) {
      const files = [...(thumbnail ? [thumbnail] : []), ...(indexFile ? [indexFile] : [])];
      await this.files.carryOut(await this.files.plan(oid, files));
    }
    await this.collections.deleteAll(oid);
  }

  async bytesStored(oid: string): Promise<StoredBytes> {
    const bytes = { thumbnail: 0, dedupeIndex: 0 };
    for await (const { thumbnail, indexFile } of this.collections.all(oid)) {
      bytes.thumbnail += thumbnail?.size ?? 0;
      bytes.dedupeIndex += indexFile?.size ?? 0;
    }
    return bytes;
  }
}
