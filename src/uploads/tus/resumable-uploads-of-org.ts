import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OrgData, type OrgDataOwner, type StoredBytes } from '../../orgs/org-data.js';
import { ResumableUploads } from './resumable-uploads.js';

/** Uploads that are not complete, for the deletion of orgs. */
@Injectable()
export class ResumableUploadsOfOrg implements OrgDataOwner, OnModuleInit {
  readonly name = 'resumable uploads';
  readonly order = 30;

  constructor(
    private readonly orgData: OrgData,
    private readonly uploads: ResumableUploads,
  ) {}

  onModuleInit(): void {
    this.orgData.register(this);
  }

  async deleteForOrg(oid: string): Promise<void> {
    await this.uploads.removeAllOf(oid);
  }

  /** They count when they are complete: as items. */
  bytesStored(): Promise<StoredBytes> {
    return Promise.resolve({});
  }
}
