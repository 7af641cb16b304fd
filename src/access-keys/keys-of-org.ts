import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { AccessKeysRepository } from './data/access-keys.repository.js';

/** API keys, for deleting orgs. */
@OwnsOrgData('api keys')
@Injectable()
export class KeysOfOrg implements OrgDataOwner {
  constructor(private readonly keys: AccessKeysRepository) {}

  async deleteForOrg(oid: string): Promise<void> {
    await this.keys.deleteAll(oid);
  }

  async bytesStored(): Promise<StoredBytes> {
    return {};
  }
}
