import { wasSent } from '../../common/validation/parse-model.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import type { RawCrawlConfig } from '../../items/dto/crawl-config.dto.js';
import { wholeSeed } from '../../items/whole-seed.js';

/** Completes a sent config to its stored form. Fields that were left out get the contract's defaults. */
export function toStoredConfig(config: RawCrawlConfig): StoredCrawlConfig {
  return {
    seeds: (config.seeds ?? []).map(wholeSeed),
    seedFileId: config.seedFileId ?? null,
    scopeType: config.scopeType,
    include: config.include ?? null,
    exclude: config.exclude ?? null,
    depth: config.depth,
    limit: config.limit,
    extraHops: config.extraHops,
    lang: config.lang ?? null,
    blockAds: config.blockAds,
    behaviorTimeout: config.behaviorTimeout ?? null,
    pageLoadTimeout: config.pageLoadTimeout ?? null,
    pageExtraDelay: config.pageExtraDelay,
    postLoadDelay: config.postLoadDelay,
    workers: config.workers ?? null,
    headless: config.headless ?? null,
    generateWACZ: config.generateWACZ ?? null,
    combineWARC: config.combineWARC ?? null,
    useSitemap: config.useSitemap,
    useRobots: config.useRobots,
    failOnFailedSeed: config.failOnFailedSeed,
    failOnContentCheck: config.failOnContentCheck,
    logging: config.logging ?? null,
    behaviors: config.behaviors,
    customBehaviors: config.customBehaviors,
    userAgent: config.userAgent ?? null,
    selectLinks: config.selectLinks,
    clickSelector: config.clickSelector,
    alwaysAddBehaviorLinks: config.alwaysAddBehaviorLinks,
    saveStorage: config.saveStorage,
    dedupePagesMinDepth: config.dedupePagesMinDepth ?? null,
  };
}

/** Returns the keys of a PATCH's config that were really sent, in stored form. */
export function sentConfig(config: RawCrawlConfig): Partial<StoredCrawlConfig> {
  const sent = Object.entries(toStoredConfig(config)).filter(
    // Answers show null in place of the seeds. A client that sends it back does not mean "no seeds".
    ([key]) => wasSent(config, key) && !(key === 'seeds' && config.seeds === null),
  );
  return Object.fromEntries(sent) as Partial<StoredCrawlConfig>;
}

/**
 * Lays the sent keys over a stored config. The two sources of start URLs exclude each other. A seed file empties the
 * list of seeds and sets scope `page`; a list of seeds removes the file. Contract: crawling §4.2.
 */
export function mergeConfig(stored: StoredCrawlConfig, sent: Partial<StoredCrawlConfig>): StoredCrawlConfig {
  const merged = { ...stored, ...sent };
  // Workflows older than the field lack it. To say what that means changes nothing.
  if (merged.dedupePagesMinDepth === null && stored.dedupePagesMinDepth === undefined)
    delete merged.dedupePagesMinDepth;
  if (sent.seeds && sent.seeds.length > 0) return { ...merged, seedFileId: null };
  return merged.seedFileId ? { ...merged, seeds: [], scopeType: 'page' } : merged;
}
