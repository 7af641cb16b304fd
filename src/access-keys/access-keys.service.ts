import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { wireTime } from '../common/validation/date-time.js';
import {
  KeyAddressInvalid,
  KeyExpiryPast,
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
const MOST_KEYS = { org: 100, user: 25 } as const;

const toOut = (key: AccessKey): ApiKeyOut => ({
  id: key._id,
  oid: key.oid,
  name: key.name,
  prefix: keyPrefix(key._id),
  scopes: key.scopes,
  expiresAt: key.expiresAt && wireTime(key.expiresAt),
  addresses: key.addresses,
  userid: key.userid,
  userName: key.userName,
  created: wireTime(key.created),
  lastUsed: key.lastUsed && wireTime(key.lastUsed),
});

/** Who holds keys: an org, or a user. */
export interface KeyHolder {
  readonly kind: keyof typeof MOST_KEYS;
  readonly id: string;
}

/** Makes, lists and revokes API keys. */
@Injectable()
export class AccessKeys {
  constructor(
    private readonly keys: AccessKeysRepository,
    private readonly clock: Clock,
  ) {}

  async list({ kind, id }: KeyHolder): Promise<ApiKeyOut[]> {
    return (await this.keys.list(id, MOST_KEYS[kind])).map(toOut);
  }

  /** @throws KeyScopeNotAllowed, KeyExpiryPast, KeyAddressInvalid, TooManyKeys */
  async create(holder: KeyHolder, creator: Principal, wanted: ApiKeyCreate): Promise<ApiKeyCreated> {
    this.check(holder, creator, wanted);
    const _id = newId();
    const text = newKeyText(_id);
    const key = await this.insert(holder, {
      _id,
      oid: holder.kind === 'org' ? holder.id : null,
      holder: holder.id,
      userid: creator.id,
      userName: creator.name,
      name: wanted.name,
      hash: hashOfKey(text),
      scopes: [...new Set(wanted.scopes)],
      expiresAt: wanted.expiresAt,
      addresses: wanted.addresses,
      created: this.clock.now(),
      lastUsed: null,
    });
    return { ...toOut(key), key: text };
  }

  /** The key opens nothing from now on. @throws KeyNotFound */
  async revoke(holder: KeyHolder, keyId: string): Promise<void> {
    if (!(await this.keys.delete(holder.id, keyId))) throw new KeyNotFound();
  }

  private check({ kind }: KeyHolder, creator: Principal, { scopes, expiresAt, addresses }: ApiKeyCreate): void {
    const mayRunAll = kind === 'user' && creator.isSuperuser;
    if (scopes.includes('system:admin') && !mayRunAll) throw new KeyScopeNotAllowed();
    if (expiresAt && expiresAt <= this.clock.now()) throw new KeyExpiryPast();
    if (!addresses.every(isNetwork)) throw new KeyAddressInvalid();
  }

  /** Of parallel creations each takes a slot that was free; one that finds it taken meanwhile looks again. */
  private async insert({ kind, id }: KeyHolder, key: Omit<AccessKey, 'slot'>): Promise<AccessKey> {
    for (;;) {
      const taken = new Set((await this.keys.list(id, MOST_KEYS[kind])).map(({ slot }) => slot));
      const free = Array.from({ length: MOST_KEYS[kind] }, (_, slot) => slot).filter((slot) => !taken.has(slot));
      const slot = free[Math.floor(Math.random() * free.length)];
      if (slot === undefined) throw new TooManyKeys();
      const stored = { ...key, slot };
      if (await this.keys.insert(stored)) return stored;
    }
  }
}
