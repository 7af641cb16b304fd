import { wireTime, wireTimeOrNull, wireSecond } from '../common/validation/date-time.js';
import type { Item } from './data/item.schema.js';
import type { QaRun, StoredCrawlStats } from './data/qa-run.schema.js';
import type { CrawlOut, CrawlStats } from './dto/items.dto.js';
import { stateReasonOf } from './state-reason.js';

/** The parts of an item's answer that are not in its document. */
export interface ItemContext {
  /** Name of the crawl's profile. It is empty when the profile is gone, and null when the crawl has none. */
  readonly profileName: string | null;
}

/** Shows an item as lists and single reads do. Contract: crawling §5.2. */
export function toCrawlOut(item: Item, { profileName }: ItemContext): CrawlOut {
  return {
    id: item._id,
    type: item.type ?? 'crawl',
    oid: item.oid,
    cid: item.cid ?? null,
    userid: item.userid,
    userName: item.userName ?? null,
    name: item.name ?? null,
    description: item.description ?? null,
    tags: item.tags ?? [],
    collectionIds: item.collectionIds ?? [],
    reviewStatus: item.reviewStatus ?? null,
    started: wireSecond(item.started),
    finished: wireTimeOrNull(item.finished),
    state: item.state,
    stateReason: item.type === 'upload' ? null : stateReasonOf(item),
    stats: toStats(item.stats),
    fileSize: item.fileSize ?? 0,
    fileCount: item.fileCount ?? 0,
    fileSizeWithDeps: null,
    pendingSize: item.pendingSize ?? 0,
    image: item.image ?? null,
    crawlExecSeconds: item.crawlExecSeconds ?? 0,
    qaCrawlExecSeconds: item.qaCrawlExecSeconds ?? 0,
    ...pageFields(item),
    ...crawlFields(item),
    ...qaFields(item),
    profileName,
    config: null,
    storageQuotaReached: false,
    execMinutesQuotaReached: false,
    errors: item.state === 'failed' && item.uploadError ? [item.uploadError] : [],
    behaviorLogs: [],
    requiresCrawls: item.requiresCrawls ?? [],
    requiredByCrawls: item.requiredByCrawls ?? [],
    missingRequiresCrawls: null,
    dedupeStats: item.dedupeStats ?? null,
    fixity: item.fixity ? { lastVerified: wireTime(item.fixity.lastVerified), result: item.fixity.result } : null,
  };
}

export const toStats = (stats: StoredCrawlStats | null | undefined): CrawlStats | null =>
  stats ? { found: stats.found, done: stats.done, size: stats.size ?? 0, req_crawls: stats.req_crawls ?? [] } : null;

const pageFields = (item: Item) => ({
  pageCount: item.pageCount ?? 0,
  uniquePageCount: item.uniquePageCount ?? 0,
  filePageCount: item.filePageCount ?? 0,
  errorPageCount: item.errorPageCount ?? 0,
  version: item.version ?? 1,
});

const crawlFields = (item: Item) => ({
  profileid: item.profileid ?? null,
  firstSeed: item.firstSeed ?? null,
  seedCount: item.seedCount ?? null,
  stopping: item.stopping ?? false,
  shouldPause: item.shouldPause ?? false,
  pausedAt: wireTimeOrNull(item.pausedAt),
  rateLimitedAt: wireTimeOrNull(item.rateLimitedAt),
  manual: item.manual ?? false,
  cid_rev: item.cid_rev ?? null,
  scale: item.scale ?? null,
  browserWindows: item.browserWindows ?? 2,
  crawlerChannel: item.crawlerChannel ?? 'default',
  proxyId: item.proxyId ?? null,
  dedupeCollId: item.dedupeCollId ?? null,
});

/** Returns an item's QA runs, the active one included. The one that started last comes first. */
export function qaRunsOf(item: Pick<Item, 'qa' | 'qaFinished'>): QaRun[] {
  const runs = [...Object.values(item.qaFinished ?? {}), ...(item.qa ? [item.qa] : [])];
  return runs.sort((a, b) => b.started.getTime() - a.started.getTime());
}

function qaFields(item: Item): Pick<CrawlOut, 'activeQAStats' | 'qaRunCount' | 'lastQAState' | 'lastQAStarted'> {
  const runs = qaRunsOf(item);
  return {
    activeQAStats: toStats(item.qa?.stats),
    qaRunCount: runs.length,
    lastQAState: runs[0]?.state ?? null,
    lastQAStarted: wireTimeOrNull(runs[0]?.started),
  };
}
