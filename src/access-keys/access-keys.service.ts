import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { SecondFactorDemanded } from '../common/errors/domain-error.js';
import { newId } from '../common/ids/uuid.js';
import { wireTime } from '../common/validation/date-time.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { OrgsQueries } from '../orgs/data/orgs.queries.js';
import {
  KeyAddressInvalid,
  KeyExpiryPast,
  KeyLimitNeedsOrg,
  KeyNotFound,
  KeyScopeNotAllowed,
  TooManyKeys,
} from './access-keys.errors.js';
import type { AccessKey } from './data/access-key.schema.js';
import { AccessKeysRepository } from './data/access-keys.repository.js';
import type { ApiKeyCreate, ApiKeyCreated, ApiKeyOut } from './dto/access-keys.dto.js';
import { isNetwork } from './rules/allowed-addresses.js';
import { hashOfKey, keyPrefix, newKeyText } from './rules/key-text.js';

/** Most keys of an org, and of a user's own: a list has no pages, and nobody looks after more. */
const MOST_KEYS = { org: 100, user: 25, service: 25 } as const;

export const toKeyOut = (key: AccessKey): ApiKeyOut => ({
  id: key._id,
  oid: key.oid,
  name: key.name,
  prefix: keyPrefix(key._id),
  scopes: key.scopes,
  expiresAt: key.expiresAt && wireTime(key.expiresAt),
  addresses: key.addresses,
  onlyWorkflows: key.onlyWorkflows ?? [],
  onlyCollections: key.onlyCollections ?? [],
  userid: key.userid,
  userName: key.userName,
  created: wireTime(key.created),
  lastUsed: key.lastUsed && wireTime(key.lastUsed),
});

/** Who holds keys: an org, a user, or a service account of an org. */
export type KeyHolder =
  | { readonly kind: 'org' | 'user'; readonly id: string }
  | { readonly kind: 'service'; readonly id: string; readonly oid: string; readonly name: string };

/** Makes, lists and revokes API keys. */
@Injectable()
export class AccessKeys {
  constructor(
    private readonly keys: AccessKeysRepository,
    private readonly orgs: OrgsQueries,
    private readonly clock: Clock,
  ) {}

  async list({ kind, id }: KeyHolder): Promise<ApiKeyOut[]> {
    return (await this.keys.list(id, MOST_KEYS[kind])).map(toKeyOut);
  }

  /**
   * @param store keeps the key where more has to be right than that its slot is free
   * @throws SecondFactorDemanded, KeyScopeNotAllowed, KeyExpiryPast, KeyAddressInvalid, KeyLimitNeedsOrg, TooManyKeys
   */
  async create(
    holder: KeyHolder,
    creator: Principal,
    wanted: ApiKeyCreate,
    store: (key: AccessKey) => Promise<void> = (key) => this.keys.add(key),
  ): Promise<ApiKeyCreated> {
    await this.assertMayMake(holder, creator);
    this.check(holder, creator, wanted);
    const _id = newId();
    const text = newKeyText(_id);
    const isService = holder.kind === 'service';
    const made = {
      _id,
      oid: isService ? holder.oid : holder.kind === 'org' ? holder.id : null,
      holder: holder.id,
      userid: isService ? holder.id : creator.id,
      userName: isService ? holder.name : creator.name,
      ...(isService ? { isService } : {}),
      ...limitsOf(wanted),
      name: wanted.name,
      hash: hashOfKey(text),
      scopes: [...new Set(wanted.scopes)],
      expiresAt: wanted.expiresAt,
      addresses: wanted.addresses,
      created: this.clock.now(),
      lastUsed: null,
    };
    const key = await this.insert(holder, made, store);
    return { ...toKeyOut(key), key: text };
  }

  /** The key opens nothing from now on. @throws KeyNotFound */
  async revoke(holder: KeyHolder, keyId: string): Promise<void> {
    if (!(await this.keys.delete(holder.id, keyId))) throw new KeyNotFound();
  }

  /** A key would go on past what the log-in that made it was refused. @throws SecondFactorDemanded */
  private async assertMayMake({ kind }: KeyHolder, { id, isSuperuser, isHeldBack, lacksFactor }: Principal) {
    if (kind !== 'user' || !lacksFactor) return;
    const isDemanded = isSuperuser ? this.orgs.someDemandsFactor() : this.orgs.anyDemandsFactor(id);
    if (isHeldBack || (await isDemanded)) throw new SecondFactorDemanded();
  }

  private check({ kind }: KeyHolder, creator: Principal, wanted: ApiKeyCreate): void {
    const { scopes, expiresAt, addresses } = wanted;
    const mayRunAll = kind === 'user' && creator.isSuperuser;
    if (scopes.includes('system:admin') && !mayRunAll) throw new KeyScopeNotAllowed();
    if (expiresAt && expiresAt <= this.clock.now()) throw new KeyExpiryPast();
    if (!addresses.every(isNetwork)) throw new KeyAddressInvalid();
    if (kind === 'user' && Object.keys(limitsOf(wanted)).length > 0) throw new KeyLimitNeedsOrg();
  }

  /** Of parallel creations each takes a slot that was free; one that finds it taken meanwhile looks again. */
  private async insert(
    { kind, id }: KeyHolder,
    key: Omit<AccessKey, 'slot'>,
    store: (key: AccessKey) => Promise<void>,
  ): Promise<AccessKey> {
    for (;;) {
      const taken = new Set((await this.keys.list(id, MOST_KEYS[kind])).map(({ slot }) => slot));
      const free = Array.from({ length: MOST_KEYS[kind] }, (_, slot) => slot).filter((slot) => !taken.has(slot));
      const slot = free[Math.floor(Math.random() * free.length)];
      if (slot === undefined) throw new TooManyKeys();
      const stored = { ...key, slot };
      try {
        await store(stored);
        return stored;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }
}

const limitsOf = ({
  onlyWorkflows,
  onlyCollections,
}: ApiKeyCreate): Pick<AccessKey, 'onlyWorkflows' | 'onlyCollections'> =>
  onlyWorkflows.length + onlyCollections.length === 0
    ? {}
    : { onlyWorkflows: [...new Set(onlyWorkflows)], onlyCollections: [...new Set(onlyCollections)] };
