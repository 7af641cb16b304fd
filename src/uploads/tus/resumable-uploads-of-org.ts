import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../../orgs/org-data.js';
import { ResumableUploads } from './resumable-uploads.js';

/** Incomplete uploads, for the deletion of orgs. */
@OwnsOrgData('resumable uploads', { after: 'workflows' })
@Injectable()
export class ResumableUploadsOfOrg implements OrgDataOwner {
  constructor(private readonly uploads: ResumableUploads) {}

  async deleteForOrg(oid: string): Promise<void> {
    await this.uploads.removeAllOf(oid);
  }

  /** Incomplete uploads do not count; complete ones count as items. */
  bytesStored(): Promise<StoredBytes> {
    return Promise.resolve({});
  }
}
