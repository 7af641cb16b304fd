import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../../orgs/org-data.js';
import { ResumableUploads } from './resumable-uploads.js';

/** Uploads that are not complete, for the deletion of orgs. */
@OwnsOrgData('resumable uploads', { after: 'workflows' })
@Injectable()
export class ResumableUploadsOfOrg implements OrgDataOwner {
  constructor(private readonly uploads: ResumableUploads) {}

  async deleteForOrg(oid: string): Promise<void> {
    await this.uploads.removeAllOf(oid);
  }

  /** They count when they are complete: as items. */
  bytesStored(): Promise<StoredBytes> {
    return Promise.resolve({});
  }
}
