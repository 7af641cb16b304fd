import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { AccessKeysRepository } from './data/access-keys.repository.js';
import { ServiceAccountsRepository } from './data/service-accounts.repository.js';

/** More than any org has. */
const MOST = 1_000;

/** API keys and service accounts, for deleting orgs. */
@OwnsOrgData('api keys')
@Injectable()
export class KeysOfOrg implements OrgDataOwner {
  constructor(
    private readonly keys: AccessKeysRepository,
    private readonly accounts: ServiceAccountsRepository,
  ) {}

  async deleteForOrg(oid: string): Promise<void> {
    // The accounts last, by which their keys are found again after a crash.
    for (const { _id } of await this.accounts.list(oid, MOST)) await this.keys.deleteAll(_id);
    await this.keys.deleteAll(oid);
    await this.accounts.deleteAll(oid);
  }

  async bytesStored(): Promise<StoredBytes> {
    return {};
  }
}
