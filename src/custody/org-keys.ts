import { Injectable } from '@nestjs/common';
import { wireTime, wireTimeOrNull } from '../common/validation/date-time.js';
import type { Org } from '../orgs/data/org.schema.js';
import { SigningKeys, type PublicKey } from '../signing/signing-keys.js';
import { NoOwnSigningKey } from './custody.errors.js';
import type { OrgSigningKey, OrgSigningKeys } from './dto/org-keys.dto.js';

/** The keys that sign the archives of one org alone. */
@Injectable()
export class OrgKeys {
  constructor(private readonly keys: SigningKeys) {}

  async of({ _id: oid }: Pick<Org, '_id'>): Promise<OrgSigningKeys> {
    const keys = (await this.keys.ofOrg(oid)).map(toKey);
    return { current: keys.find(({ retired }) => retired === null) ?? null, keys };
  }

  /** Makes the first key of the org, or one in place of the key before it. */
  async renew(org: Org): Promise<OrgSigningKeys> {
    await this.keys.rotateOf(org);
    return this.of(org);
  }

  /** @throws NoOwnSigningKey */
  async retire(org: Org): Promise<void> {
    if (!(await this.keys.retireOf(org._id))) throw new NoOwnSigningKey();
  }
}

const toKey = ({ _id: id, publicKey, created, retired }: PublicKey): OrgSigningKey => ({
  ...{ id, publicKey },
  ...{ created: wireTime(created), retired: wireTimeOrNull(retired) },
});
