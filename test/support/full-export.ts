import { toExport } from '../../src/orgs/data/export-codec.js';
import * as crawling from './reference-crawls.js';
import * as made from './reference-documents.js';
import { at, LATER, REFERENCE as R, STORAGE } from './reference-documents.js';

export type Doc = Record<string, unknown>;
export type Export = { dbVersion: string; org: Doc } & Record<string, Doc[]>;

const FILES = ['a.wacz', 'b.wacz', 'uploads/c.wacz', 'profiles/p.tar.gz', 'seeds.txt'].map((name, n) => ({
  filename: `${R.oid}/${name}`,
  hash: 'ab'.repeat(32),
  size: 100 + n,
  storage: STORAGE,
  replicas: [STORAGE],
  crc32: 7,
  originalFilename: 'was.wacz',
  isPiece: false,
  verification: {
    intact: true,
    problems: [],
    signature: { valid: true, domain: null, publicKey: 'k', created: null, software: 's' },
  },
}));
const FIXITY = { lastVerified: at('2025-04-01T00:00:00'), result: 'ok' };
const NOTE = { id: R.seedFile, text: 'seen', created: at('2025-04-01T00:00:00'), userid: R.owner, userName: 'Owner' };
const QA = { screenshotMatch: 0.95, textMatch: 1, resourceCounts: { crawlGood: 1, crawlBad: 0, replayGood: 1 } };
const SEED = {
  url: 'https://old.example/',
  scopeType: 'page',
  include: ['a'],
  exclude: 'b',
  sitemap: true,
  allowHash: false,
  depth: 1,
  extraHops: 0,
};

const configured = (doc: Doc): Doc => ({
  ...doc,
  config: {
    ...(doc['config'] as Doc),
    seeds: [SEED],
    seedFileId: R.seedFile,
    include: 'x',
    lang: 'en',
    behaviorTimeout: 1,
    pageLoadTimeout: 1,
    workers: 1,
    headless: true,
    generateWACZ: true,
    combineWARC: true,
    logging: 'x',
    customBehaviors: ['https://b.example/b.js'],
    userAgent: 'x',
    alwaysAddBehaviorLinks: false,
  },
});

function crawl(): Doc {
  const [doc] = crawling.items(FILES) as Doc[];
  const [run] = Object.values(doc!['qaFinished'] as Record<string, Doc>);
  const qa = { ...run, files: [FILES[1]], limit: 5, urlMatch: 'x', _lut: at('2025-04-01T00:00:00') };
  return {
    ...configured(doc!),
    qaFinished: { [R.qaRun]: qa },
    qa: { ...qa, id: 'qa-active' },
    fixity: FIXITY,
    isMigrating: false,
    deleted: false,
    stopping: false,
    pausedAt: at('2025-04-01T00:00:00'),
    rateLimitedAt: at('2025-04-01T00:00:00'),
    autoPausedEmailsSent: false,
    proxyId: 'p',
    dedupeCollId: R.collection,
    dedupeStats: { uniqueHashes: 1, totalUrls: 1, dupeUrls: 0, conservedSize: 0 },
    _lut: at('2025-04-01T00:00:00'),
    tags: ['t'],
    requiresCrawls: ['other'],
    requiredByCrawls: ['other'],
    qaRunCount: 2,
    lastQAState: 'complete',
    lastQAStarted: at('2025-04-01T00:00:00'),
  };
}

const workflow = (): Doc => ({
  ...configured(crawling.workflow(7) as Doc),
  profileid: R.profile,
  lastCrawlTime: at('2025-04-01T00:00:00'),
  lastCrawlState: 'complete',
  lastCrawlSize: 7,
  lastRun: at('2025-04-01T00:00:00'),
  lastCrawlStats: { found: 1, done: 1, size: 1, req_crawls: ['other'] },
  lastCrawlStopping: false,
  dedupeCollId: R.collection,
  proxyId: 'p',
  crawlFilenameTemplate: 'x',
  nextRun: at('2025-04-01T00:00:00'),
  scheduledBy: R.owner,
  pendingFiring: { at: at('2025-04-01T00:00:00'), leaseUntil: at('2025-04-01T00:00:00') },
  skippedFiring: { at: at('2025-04-01T00:00:00'), reason: 'org_gone' },
  countedEvents: [R.seedFile],
  figuresRev: 1,
});

const keptItem = (): Doc => ({
  _id: 'manual-20250201000000-kept',
  oid: R.oid,
  type: 'crawl',
  userid: R.owner,
  files: [FILES[0]],
  fileSize: 100,
  fileCount: 1,
  requiresCrawls: ['other'],
  requiredBy: [R.crawl],
  deletedAt: at('2025-04-01T00:00:00'),
  takenDownAt: null,
  changedAt: at('2025-04-01T00:00:00'),
  dueAt: at('2025-04-01T00:00:00'),
  fixity: FIXITY,
});

const page = (): Doc => ({
  ...(crawling.pages()[0] as Doc),
  _id: R.seedFile,
  notes: [NOTE],
  qa: { [R.qaRun]: QA },
  favIconUrl: 'https://old.example/icon',
  userid: R.owner,
  modified: at('2025-04-01T00:00:00'),
  approved: true,
});

const collection = (): Doc => ({
  ...made.collection(FILES),
  thumbnail: { ...FILES[0], mime: 'image/png', userid: R.owner, userName: 'Owner', created: at('2025-04-01T00:00:00') },
  thumbnailSource: { url: 'https://old.example/', urlTs: at('2025-04-01T00:00:00'), urlPageId: R.seedFile },
  homeUrl: 'https://old.example/',
  homeUrlTs: at('2025-04-01T00:00:00'),
  homeUrlPageId: R.seedFile,
  caption: 'c',
  changes: 1,
  indexLastSavedAt: at('2025-04-01T00:00:00'),
  indexFile: { ...FILES[1], type: 'redis' },
  indexState: 'idle',
  indexStats: { totalUrls: 1, dupeUrls: 0, uniqueHashes: 1, updateProgress: 1 },
  indexDiskSpaceUsed: 1,
  preloadResources: [{ name: 'a.wacz', crawlId: R.crawl }],
  previousSlugs: ['before'],
  tags: ['t'],
  fixity: FIXITY,
});

const profile = (): Doc => ({
  ...made.profile(FILES[3]!),
  modifiedCrawlDate: at('2025-04-01T00:00:00'),
  modifiedCrawlId: R.crawl,
  modifiedCrawlCid: R.workflow,
  baseid: R.profile,
  proxyId: 'p',
  tags: ['t'],
  committedFrom: 'x',
  fixity: FIXITY,
});

const SECONDS = { '2025-03': 600 };
const org = (): Doc => ({
  ...made.org(FILES),
  created: at('2025-01-01T00:00:00'),
  storageReplicas: [STORAGE],
  qaUsage: SECONDS,
  qaCrawlExecSeconds: SECONDS,
  extraExecSeconds: SECONDS,
  giftedExecSeconds: SECONDS,
  quotas: {
    storageQuota: 0,
    maxExecMinutesPerMonth: 0,
    maxConcurrentCrawls: 0,
    maxPagesPerCrawl: 0,
    extraExecMinutes: 0,
    giftedExecMinutes: 0,
  },
  quotaUpdates: [{ modified: at('2025-01-01T00:00:00'), update: { storageQuota: 5 }, subEventId: null }],
  webhookUrls: { crawlFinished: 'https://hooks.example/', uploadFinished: null },
  readOnlyReason: 'x',
  subscription: {
    subId: 's',
    status: 'active',
    planId: 'p',
    futureCancelDate: at('2025-01-01T00:00:00'),
    readOnlyOnCancel: false,
  },
  allowedProxies: ['p'],
  crawlingDefaults: {
    crawlTimeout: 1,
    maxCrawlSize: 1,
    pageLoadTimeout: 1,
    postLoadDelay: 1,
    behaviorTimeout: 1,
    pageExtraDelay: 1,
    blockAds: true,
    profileid: R.profile,
    crawlerChannel: 'default',
    proxyId: 'p',
    lang: 'en',
    userAgent: 'x',
    exclude: ['a'],
    customBehaviors: ['https://b.example/b.js'],
    dedupeCollId: R.collection,
  },
  customStorages: {
    mine: {
      type: 's3',
      endpoint_url: 'https://s3.example/bucket/',
      endpoint_no_bucket_url: 'https://s3.example/',
      access_key: 'a',
      secret_key: 's',
      access_endpoint_url: 'https://s3.example/bucket/',
      access_addressing_style: 'virtual',
      region: '',
    },
  },
  publicDescription: 'x',
  publicUrl: 'https://old.example/',
  note: 'x',
  presignedClearedAt: at('2025-01-01T00:00:00'),
  nameLower: 'of the reference',
  userDetails: [{ id: R.owner, role: 40, name: 'Owner', email: R.email }],
});

/** An export of one document of each kind, every field of which has a value; ids are those of `REFERENCE`. */
export function fullExport(): Export {
  const lists = {
    profiles: [profile()],
    workflows: [workflow()],
    workflowRevisions: [
      {
        ...configured(crawling.revision()),
        _id: R.seedFile,
        proxyId: 'p',
        crawlFilenameTemplate: 'x',
        shareable: true,
      },
    ],
    items: [crawl()],
    pages: [page()],
    collections: [collection()],
    keptItems: [keptItem()],
    seedFiles: [{ ...made.seedFile(FILES[4]!), takenAt: at('2025-04-01T00:00:00'), fixity: FIXITY }],
  };
  const withLater = Object.entries(lists).map(([name, docs]) => [name, docs.map((doc) => ({ later: LATER, ...doc }))]);
  return toExport({ dbVersion: '0058', org: { later: LATER, ...org() }, ...Object.fromEntries(withLater) }) as Export;
}
