import { KEY_SCOPES } from '../../common/access/key-scopes.js';
import { enumOf } from '../../common/validation/composites.js';
import { DateTime, ListOf, Str, TimeText, Uuid } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';

/** Most addresses of a key, all of which are looked through at each request. */
const MAX_ADDRESSES = 20;
/** Most workflows, and collections, that a key is limited to. */
const MAX_LIMITS = 50;

export class ApiKeysPath {
  @Uuid() oid!: string;
}

export class ApiKeyPath {
  @Uuid() oid!: string;
  /** Id of the key. */
  @Uuid() keyId!: string;
}

export class OwnApiKeyPath {
  /** Id of the key. */
  @Uuid() keyId!: string;
}

export class ApiKeyCreate {
  /** What the key is for. */
  @Str({ min: 1, max: 100 }) name!: string;
  /** What the key may be used for. No scope has another in it. */
  @ListOf(enumOf('ApiKeyScope', KEY_SCOPES), { min: 1, max: KEY_SCOPES.length })
  scopes!: (typeof KEY_SCOPES)[number][];
  /** When the key ends by itself; null: never. */
  @DateTime({ nullable: true }) expiresAt: Date | null = null;
  /** Addresses and networks (`192.0.2.0/24`, `2001:db8::/32`) that may use the key; none: all may. */
  @ListOf(str({ min: 1, max: 60 }), { max: MAX_ADDRESSES }) addresses: string[] = [];
  /** Workflows that the key is limited to, with their crawls; not for personal keys. */
  @ListOf(uuid(), { max: MAX_LIMITS }) onlyWorkflows: string[] = [];
  /** Collections that the key is limited to, with their items; not for personal keys. */
  @ListOf(uuid(), { max: MAX_LIMITS }) onlyCollections: string[] = [];
}

export class ApiKeyOut {
  @Uuid() id!: string;
  /** The only org that the key opens; null: a personal key, for all orgs of its creator. */
  @Uuid({ nullable: true }) oid!: string | null;
  /** What the key is for. */
  @Str() name!: string;
  /** How the key's text begins. */
  @Str() prefix!: string;
  /** What the key may be used for. */
  @ListOf(enumOf('ApiKeyScope', KEY_SCOPES)) scopes!: (typeof KEY_SCOPES)[number][];
  /** When the key ends by itself; null: never. */
  @TimeText({ nullable: true }) expiresAt!: string | null;
  /** Addresses and networks that may use the key; none: all may. */
  @ListOf(str()) addresses!: string[];
  /** Workflows that the key is limited to, with their crawls; with no collections either: it reaches all of the org. */
  @ListOf(uuid()) onlyWorkflows!: string[];
  /** Collections that the key is limited to, with their items. */
  @ListOf(uuid()) onlyCollections!: string[];
  /** The creator, or the service account, whose rights bound those of the key. */
  @Uuid() userid!: string;
  @Str() userName!: string;
  @TimeText() created!: string;
  /** When the key was last used, to the minute; null: never. */
  @TimeText({ nullable: true }) lastUsed!: string | null;
}

export class ApiKeyCreated extends ApiKeyOut {
  /** The key itself. It is shown here and never again. */
  @Str() key!: string;
}

export class ApiKeysOut {
  /** All keys; an org has at most 100, and a user at most 25 of their own. */
  @ListOf(() => ApiKeyOut) items!: ApiKeyOut[];
}
