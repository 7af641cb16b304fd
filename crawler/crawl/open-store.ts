import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppendLog } from '../base/append-log.js';
import { Condition } from '../base/condition.js';
import { AskedOriginals } from '../channel/asked-originals.js';
import type { Channel } from '../channel/channel.js';
import type { Logger } from '../channel/logger.js';
import { WORK_FILES, type CrawlModeConfig } from '../protocol.js';
import { asList } from '../../formats/pattern/pattern.js';
import { ExcludedUrls } from '../scope/scope.js';
import { CaptureWriter } from '../warc/capture-writer.js';
import { DuplicateIndex } from '../warc/dedupe.js';
import { NoOriginals, type Originals } from '../warc/originals.js';
import { References } from '../warc/references.js';
import { UsedOriginals } from '../warc/used-originals.js';
import { repairArchive, Segments, type SegmentSettings } from '../wacz/segments.js';
import type { CrawlStore } from './context.js';
import { Frontier } from './frontier.js';
import { LinkQueue } from './links.js';
import { openPageLog } from './page-log.js';
import type { PageQueue } from './page-queue.js';
import { RateLimiter } from './rate-limit.js';
import { Seeds } from './seeds.js';
import { restoreState, StateLog, type RestoredState } from './state-log.js';

/**
 * Opens the working directory: repairs what a killed process left, rebuilds queue, seen set and dedupe map.
 * @throws InvalidSeed, InvalidPattern when the config can't be used.
 */
export async function openStore(
  config: CrawlModeConfig,
  channel: Channel,
  logger: Logger,
): Promise<{ store: CrawlStore; restored: RestoredState }> {
  const onDisabled = (source: string) =>
    logger.warn('general', 'Pattern takes too long, switched off', { regex: source });
  const seeds = await Seeds.load(config, onDisabled);
  const exclusions = new ExcludedUrls(asList(config.config.exclude), onDisabled);
  const originals = config.asksOriginals ? new AskedOriginals(channel, logger) : new NoOriginals();
  const archive = await openArchive(config, channel, logger, originals);
  const { state, restored } = archive;
  for (const { add, regex } of restored.exclusions) {
    if (add) exclusions.add(regex);
    else exclusions.remove(regex);
  }
  for (const { seedId, url } of restored.redirects) seeds.addRedirect(seedId, url);
  const frontier = await openQueue(config, { state, restored, seeds, logger });
  const store: CrawlStore = {
    config,
    channel,
    logger,
    ...archive,
    seeds,
    frontier,
    exclusions,
    links: new LinkQueue(seeds, frontier, exclusions),
    limiter: new RateLimiter(config.rateLimitThreshold),
    changed: new Condition(),
  };
  return { store, restored };
}

/** Opens the crawl's own queue or the queue that it shares with other instances. */
async function openQueue(
  { jobId, config, shared }: CrawlModeConfig,
  { state, restored, seeds, logger }: Pick<Archive, 'state' | 'restored'> & { seeds: Seeds; logger: Logger },
): Promise<PageQueue> {
  const limit = config.limit ?? 0;
  if (!shared) {
    const frontier = new Frontier(state, limit);
    frontier.restore(restored, (seedId) => seeds.scope(seedId).allowHash);
    return frontier;
  }
  // The Redis client is loaded only when it is needed.
  const { SharedFrontier } = await import('./shared-frontier.js');
  const onRedirect = (seedId: number, url: string): void => seeds.addRedirect(seedId, url);
  return new SharedFrontier({ jobId, shared, limit, restored, onRedirect }, state, logger);
}

/** The parts of the working directory that a crawl and a quality check have in common, repaired and open for writing. */
export interface Archive {
  readonly state: StateLog;
  readonly restored: RestoredState;
  readonly cdx: AppendLog;
  readonly pages: AppendLog;
  readonly segments: Segments;
  readonly writer: CaptureWriter;
}

export async function openArchive(
  settings: SegmentSettings,
  channel: Channel,
  logger: Logger,
  originals: Originals = new NoOriginals(),
): Promise<Archive> {
  const { dir } = settings;
  for (const folder of [WORK_FILES.archiveDir, WORK_FILES.outDir, WORK_FILES.logsDir]) {
    await mkdir(join(dir, folder), { recursive: true });
  }
  const restored = await restoreState(dir);
  const dedupe = new DuplicateIndex();
  for (const line of await repairArchive(dir)) {
    const { url, mime, status, digest, method = 'GET' } = line.fields;
    if (url.startsWith('urn:')) continue;
    dedupe.see({ key: line.key, method, status: Number(status), digest });
    if (mime !== 'warc/revisit' && status === '200' && method === 'GET')
      dedupe.keep(digest, { url, date: line.date, wacz: line.wacz });
  }
  const state = await StateLog.open(dir);
  const cdx = await AppendLog.open(join(dir, WORK_FILES.cdx));
  const pages = await openPageLog(dir, (pageId) => restored.over.has(pageId));
  const used = new UsedOriginals(state, channel);
  await used.restore(restored.originals, restored.toldOriginals);
  const segments = new Segments(settings, { channel, logger, state, cdx, originals: used });
  const references = new References(dedupe, originals, settings.jobId);
  const writer = new CaptureWriter(() => segments.target, cdx, dedupe, references, used);
  return { state, restored, cdx, pages, segments, writer };
}

export async function closeStore(
  store: Pick<CrawlStore, 'pages' | 'cdx' | 'state' | 'logger'> & { frontier?: PageQueue },
): Promise<void> {
  await store.frontier?.close();
  await Promise.all([store.pages.close(), store.cdx.close(), store.state.close()]);
  await store.logger.close();
}
