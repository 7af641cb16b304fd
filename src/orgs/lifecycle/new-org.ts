import { newId } from '../../common/ids/uuid.js';
import type { Org, OrgStorageRef, OrgSubscription } from '../data/org.schema.js';
import { quotasOf, type SentQuotas } from '../rules/quota.rules.js';
import { slugFrom } from '../rules/slug.js';

export interface NewOrg {
  readonly oid?: string;
  /** Name of the org. With null the id is the name until the first member joins. */
  readonly name: string | null;
  /** Slug of the org. With null it is made from the name. */
  readonly slug: string | null;
  readonly created: Date;
  readonly storage: OrgStorageRef;
  /** Whether the org has deduplication from the start. */
  readonly dedupeEnabled: boolean;
  readonly isDefault?: boolean;
  readonly quotas?: SentQuotas | null;
  readonly note?: string | null;
  readonly subscription?: OrgSubscription | null;
}

/** Makes the document of a new org. Contract: accounts §7.4 `create`, §15.2; D12, D13. */
export function newOrg(given: NewOrg): Org {
  const oid = given.oid ?? newId();
  const name = given.name ?? oid;
  const quotas = quotasOf({ quotas: given.quotas as Org['quotas'] });
  return {
    _id: oid,
    name,
    // A name with no Latin equivalent makes no slug.
    slug: given.slug ?? (slugFrom(name) || oid),
    users: {},
    created: given.created,
    default: given.isDefault ?? false,
    storage: given.storage,
    storageReplicas: [],
    customStorages: {},
    bytesStored: 0,
    bytesStoredCrawls: 0,
    bytesStoredUploads: 0,
    bytesStoredProfiles: 0,
    bytesStoredSeedFiles: 0,
    bytesStoredThumbnails: 0,
    bytesStoredDedupeIndexes: 0,
    usage: {},
    crawlExecSeconds: {},
    qaUsage: {},
    qaCrawlExecSeconds: {},
    monthlyExecSeconds: {},
    extraExecSeconds: {},
    giftedExecSeconds: {},
    extraExecSecondsAvailable: Math.max(0, quotas.extraExecMinutes * 60),
    giftedExecSecondsAvailable: Math.max(0, quotas.giftedExecMinutes * 60),
    quotas,
    quotaUpdates: [],
    webhookUrls: {},
    origin: null,
    readOnly: false,
    readOnlyReason: null,
    subscription: given.subscription ?? null,
    allowSharedProxies: false,
    allowedProxies: [],
    crawlingDefaults: null,
    lastCrawlFinished: null,
    enablePublicProfile: false,
    publicDescription: null,
    publicUrl: null,
    featureFlags: { dedupeEnabled: given.dedupeEnabled },
    note: given.note ?? null,
  };
}
