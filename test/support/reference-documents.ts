import bcrypt from 'bcrypt';
import { mongo } from 'mongoose';
import { uuid } from '../../src/database/uuid-codec.js';

/** Ids of what the database holds. */
export const REFERENCE = {
  oid: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  owner: '0e138ad6-b8c4-4ac4-8b8b-123456789abc',
  superuser: '0e138ad6-b8c4-4ac4-8b8b-123456789abd',
  workflow: '5b6b6a0e-2f5e-4a26-9d0f-5f6d7a8b9c0d',
  crawl: 'manual-20250301100000-5b6b6a0e-2f5',
  legacyCrawl: 'sched-20230301100000-5b6b6a0e',
  failedCrawl: 'manual-20250302100000-5b6b6a0e-2f5',
  upload: 'upload-4f1c6d0e-6d5e-4a53-9c39-6f2f6a8c4f0b',
  collection: '2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111',
  profile: '2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e112',
  seedFile: '2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e113',
  qaRun: 'qa-2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e114',
  email: 'owner@example.org',
  password: 'of the reference',
} as const;

/** What a later version, or an operator's script, may have left in a document. */
export const LATER = { deep: [1, { kept: true }] };

const R = REFERENCE;
export const at = (time: string): Date => new Date(`${time}Z`);
export const by = { userid: uuid(R.owner), userName: 'Owner' };
export const STORAGE = { name: 'default', custom: false };
export const CRAWL_PAGES = ['https://old.example/', 'https://old.example/about', 'https://old.example/missing'];
export const LEGACY_PAGES = ['https://older.example/'];
export const UPLOAD_PAGES = ['https://uploaded.example/'];

export type StoredFile = { filename: string; hash: string; size: number };

export async function users(): Promise<object[]> {
  const user = async (id: string, email: string, name: string, isSuperuser: boolean) => ({
    _id: new mongo.ObjectId(),
    id: uuid(id),
    email,
    name,
    is_superuser: isSuperuser,
    is_verified: true,
    hashed_password: await bcrypt.hash(R.password, 4),
  });
  return [
    await user(R.owner, R.email, 'Owner', false),
    await user(R.superuser, 'operator@example.org', 'Operator', true),
  ];
}

export function org(files: readonly StoredFile[]): object {
  const [crawl, legacy, upload, profileFile, seeds] = files.map(({ size }) => size) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    _id: uuid(R.oid),
    name: 'Of the reference',
    slug: 'of-the-reference',
    default: true,
    users: { [R.owner]: 40 },
    created: null,
    storage: STORAGE,
    storageReplicas: [],
    customStorages: {},
    bytesStored: mongo.Long.fromNumber(crawl + legacy + upload + profileFile + seeds),
    bytesStoredCrawls: mongo.Long.fromNumber(crawl + legacy),
    bytesStoredUploads: upload,
    // A double where the driver wrote one.
    bytesStoredProfiles: new mongo.Double(profileFile),
    bytesStoredSeedFiles: seeds,
    bytesStoredThumbnails: 0,
    bytesStoredDedupeIndexes: 0,
    usage: { '2025-03': 600 },
    crawlExecSeconds: { '2025-03': 600 },
    qaUsage: {},
    qaCrawlExecSeconds: {},
    monthlyExecSeconds: { '2025-03': 600 },
    extraExecSeconds: {},
    giftedExecSeconds: {},
    extraExecSecondsAvailable: 0,
    giftedExecSecondsAvailable: 0,
    quotas: { storageQuota: 0, maxExecMinutesPerMonth: 0, maxConcurrentCrawls: 0, maxPagesPerCrawl: 0 },
    quotaUpdates: [],
    webhookUrls: null,
    origin: 'https://old.example',
    readOnly: false,
    readOnlyReason: null,
    subscription: null,
    allowSharedProxies: false,
    allowedProxies: [],
    crawlingDefaults: null,
    lastCrawlFinished: at('2025-03-02T10:10:00'),
    enablePublicProfile: true,
    publicDescription: null,
    publicUrl: null,
    featureFlags: { dedupeEnabled: false },
  };
}

export const collection = (files: readonly StoredFile[]) => ({
  _id: uuid(R.collection),
  oid: uuid(R.oid),
  name: 'All of it',
  slug: 'all-of-it',
  description: '',
  caption: null,
  created: at('2025-02-01T00:00:00'),
  modified: at('2025-03-01T10:06:00'),
  lastStatsUpdateStarted: at('2025-03-01T10:06:01'),
  crawlCount: 2,
  pageCount: 4,
  uniquePageCount: 4,
  totalSize: files[0]!.size + files[2]!.size,
  dateEarliest: at('2025-03-01T10:00:00'),
  dateLatest: at('2025-03-01T10:00:02'),
  tags: [],
  access: 'public',
  homeUrl: null,
  homeUrlTs: null,
  homeUrlPageId: null,
  thumbnail: null,
  thumbnailSource: null,
  defaultThumbnailName: 'thumbnail-cyan',
  allowPublicDownload: true,
  previousSlugs: [],
  indexLastSavedAt: null,
  indexFile: null,
  indexState: null,
  indexStats: null,
  topPageHosts: [{ host: 'old.example', count: 3 }],
  preloadResources: [],
});

export const profile = (file: StoredFile) => ({
  _id: uuid(R.profile),
  oid: uuid(R.oid),
  name: 'Logged in',
  description: '',
  userid: uuid(R.owner),
  origins: ['https://old.example/'],
  resource: file,
  created: at('2025-02-01T00:00:00'),
  createdBy: uuid(R.owner),
  createdByName: 'Owner',
  modified: at('2025-02-01T00:00:00'),
  modifiedBy: uuid(R.owner),
  modifiedByName: 'Owner',
  modifiedCrawlDate: null,
  modifiedCrawlId: null,
  modifiedCrawlCid: null,
  baseid: null,
  crawlerChannel: 'default',
  proxyId: null,
  inUse: false,
  tags: [],
});

export const seedFile = (file: StoredFile) => ({
  ...by,
  ...file,
  _id: uuid(R.seedFile),
  type: 'seedFile',
  oid: uuid(R.oid),
  originalFilename: 'seeds.txt',
  mime: 'text/plain',
  created: at('2025-02-01T00:00:00'),
  firstSeed: 'https://listed.example/',
  seedCount: 2,
});

export const job = () => ({
  _id: 'create-replica-0123456789',
  type: 'create-replica',
  oid: uuid(R.oid),
  started: at('2025-03-01T10:05:00'),
  finished: at('2025-03-01T10:05:30'),
  success: true,
  previousAttempts: null,
  file_path: 'x',
  object_type: 'crawl',
  object_id: R.crawl,
  replica_storage: { name: 'gone', custom: false },
});

export const notification = () => ({
  _id: new mongo.UUID(),
  event: 'crawlFinished',
  oid: uuid(R.oid),
  body: { orgId: R.oid, itemId: R.crawl, event: 'crawlFinished', state: 'complete', resources: [] },
  success: true,
  attempts: 1,
  created: at('2025-03-01T10:05:01'),
  lastAttempted: at('2025-03-01T10:05:02'),
});

export const presigned = (filename: string) => ({
  _id: filename,
  url: 'https://gone.example/signed',
  oid: uuid(R.oid),
  signedAt: new Date(),
});
