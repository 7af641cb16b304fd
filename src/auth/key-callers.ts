import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { KeyAddressRefused, KeyExpired, ServiceAccountDisabled } from '../access-keys/access-keys.errors.js';
import type { AccessKey } from '../access-keys/data/access-key.schema.js';
import { AccessKeysRepository } from '../access-keys/data/access-keys.repository.js';
import { isAllowed } from '../access-keys/rules/allowed-addresses.js';
import { isKeyOfHash } from '../access-keys/rules/key-text.js';
import type { KeyGrant, Principal } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { Clock } from '../common/clock/clock.js';
import { minutes } from '../common/units/durations.js';
import { toPrincipal } from './callers.js';
import { KeyRates } from '../access-keys/key-rates.js';
import { CallersQueries, type CallingService } from './data/callers.queries.js';

/** How exactly the last use of a key is known; more would be a write for each request. */
const LAST_USE_MINUTES = 1;

/** How a caller shows that a key is theirs: by its text, or by a token that was given for it. */
export type KeyProof = { readonly by: 'key'; readonly text: string } | { readonly by: 'token' };

/** A request that comes by a key. */
interface KeyUse {
  /** The request's org, which is read with key and creator. */
  readonly oid: string | null;
  readonly ip: string;
  /** Puts headers into the answer. */
  readonly tell: (headers: Record<string, string>) => void;
}

/** Finds callers by API keys. What such a caller may do is what the key's creator may at this moment, and less. */
@Injectable()
export class KeyCallers {
  constructor(
    private readonly queries: CallersQueries,
    private readonly keys: AccessKeysRepository,
    private readonly rates: KeyRates,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns null for a key that is unknown, revoked, not this one, or of a deleted creator
   * @throws KeyExpired, KeyAddressRefused, ServiceAccountDisabled, TooManyKeyRequests
   */
  async find(keyId: string, proof: KeyProof, { oid, ip, tell }: KeyUse): Promise<CallerAndOrg | null> {
    const { key, user, service, org } = await this.queries.keyOwnerAndOrg(keyId, oid);
    // The proof comes first: nobody else learns that the key has ended, or where it may be used.
    const owner = service ? ofService(service) : user && toPrincipal(user);
    if (!key || !owner || (proof.by === 'key' && !isKeyOfHash(proof.text, key.hash))) return null;
    const now = this.clock.now();
    if (service?.disabled) throw new ServiceAccountDisabled();
    if (key.expiresAt && key.expiresAt <= now) throw new KeyExpired();
    if (!isAllowed(key.addresses, ip)) throw new KeyAddressRefused();
    tell(this.rates.count(key._id));
    if (!key.lastUsed || key.lastUsed.getTime() + minutes(LAST_USE_MINUTES) <= now.getTime())
      await this.keys.touch(key._id, key.lastUsed, now);
    const grant = { ...grantOf(key, proof, owner.isSuperuser), ...(service ? { serviceRole: service.role } : {}) };
    const principal = { ...owner, isSuperuser: owner.isSuperuser && key.oid === null, key: grant };
    return { principal, org };
  }
}

/** It acts as people do, has no mailbox, and logs in nowhere. */
const ofService = ({ _id: id, name }: CallingService): Principal => ({
  ...{ id, name, email: `${id}@service-account.invalid`, isSuperuser: false, isVerified: false },
});

const onlyOf = ({ onlyWorkflows: workflows = [], onlyCollections: collections = [] }: AccessKey) =>
  workflows.length + collections.length === 0 ? {} : { only: { workflows, collections } };

const grantOf = (key: AccessKey, { by }: KeyProof, isOfSuperuser: boolean): KeyGrant => ({
  id: key._id,
  oid: key.oid,
  scopes: key.scopes,
  expiresAt: key.expiresAt,
  by,
  isOfSuperuser,
  ...onlyOf(key),
});

/** What of a request decides about a key. */
export const seenFrom = (request: Request, oid: string | null): KeyUse => ({
  oid,
  ip: request.ip ?? '',
  tell: (headers) => void request.res?.set(headers),
});
