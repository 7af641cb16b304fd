import { wasSent } from '../../common/validation/parse-model.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import type { RawCrawlConfig } from '../../items/dto/crawl-config.dto.js';
import { wholeSeed } from '../../items/whole-seed.js';

/** A sent config with every field of the stored form; what was left out has the contract's default. */
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
  };
}

/** The keys of a patch's config that were really sent, in stored form. */
export function sentConfig(config: RawCrawlConfig): Partial<StoredCrawlConfig> {
  const sent = Object.entries(toStoredConfig(config)).filter(
    // A null list of seeds is what answers show in its place: it doesn't mean "no seeds".
    ([key]) => wasSent(config, key) && !(key === 'seeds' && config.seeds === null),
  );
  return Object.fromEntries(sent) as Partial<StoredCrawlConfig>;
}

/**
 * A stored config with the sent keys over it. The two sources of start URLs exclude each other: a seed file empties the
 * list and means scope `page`, a list drops the file. Contract: crawling §4.2.
 */
export function mergeConfig(stored: StoredCrawlConfig, sent: Partial<StoredCrawlConfig>): StoredCrawlConfig {
  const merged = { ...stored, ...sent };
  if (sent.seeds && sent.seeds.length > 0) return { ...merged, seedFileId: null };
  return merged.seedFileId ? { ...merged, seeds: [], scopeType: 'page' } : merged;
}
