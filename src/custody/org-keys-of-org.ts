import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { SigningKeys } from '../signing/signing-keys.js';

/**
 * Deletes the private half of an org's key with the org. The public keys stay, since copies of its archives may be
 * anywhere. Keys are in the database, so they count no stored bytes.
 */
@OwnsOrgData('signing key')
@Injectable()
export class OrgKeysOfOrg implements OrgDataOwner {
  constructor(private readonly keys: SigningKeys) {}

  async deleteForOrg(oid: string): Promise<void> {
    await this.keys.retireOf(oid);
  }

  bytesStored(): Promise<StoredBytes> {
    return Promise.resolve({});
  }
}
