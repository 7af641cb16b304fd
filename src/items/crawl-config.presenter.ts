import { pageBounds, pageOf, type ListPage, type PageQuery } from '../common/pagination/page.js';
import type { StoredCrawlConfig } from './data/crawl-config.schema.js';
import type { RawCrawlConfig, Seed } from './dto/crawl-config.dto.js';
import { wholeSeed } from './whole-seed.js';

/** Returns the page of seeds that a query asks for. Seeds are part of the config, so they are in memory anyway. */
export function toSeedPage(query: PageQuery, { seeds }: Pick<StoredCrawlConfig, 'seeds'>): ListPage<Seed> {
  const { skip, limit } = pageBounds(query);
  return pageOf(query, seeds?.length ?? 0, (seeds ?? []).slice(skip, skip + limit).map(wholeSeed));
}

const orDefault = <T>(stored: T | undefined, byContract: T): T => (stored === undefined ? byContract : stored);

/**
 * Shows the config of a crawl or workflow without its seeds, which have a list of their own. A field that a document of
 * an older version lacks gets the contract's default. A stored null is shown as null, except in `customBehaviors`,
 * `selectLinks` and `clickSelector`.
 */
export const toConfigOut = (config: StoredCrawlConfig): RawCrawlConfig => ({
  seeds: null,
  seedFileId: config.seedFileId ?? null,
  scopeType: orDefault(config.scopeType, 'prefix'),
  include: config.include ?? null,
  exclude: config.exclude ?? null,
  depth: orDefault(config.depth, -1),
  limit: orDefault(config.limit, 0),
  extraHops: orDefault(config.extraHops, 0),
  lang: config.lang ?? null,
  blockAds: orDefault(config.blockAds, false),
  behaviorTimeout: config.behaviorTimeout ?? null,
  pageLoadTimeout: config.pageLoadTimeout ?? null,
  pageExtraDelay: orDefault(config.pageExtraDelay, 0),
  postLoadDelay: orDefault(config.postLoadDelay, 0),
  workers: config.workers ?? null,
  headless: config.headless ?? null,
  generateWACZ: config.generateWACZ ?? null,
  combineWARC: config.combineWARC ?? null,
  useSitemap: orDefault(config.useSitemap, false),
  useRobots: orDefault(config.useRobots, false),
  failOnFailedSeed: orDefault(config.failOnFailedSeed, false),
  failOnContentCheck: orDefault(config.failOnContentCheck, false),
  logging: config.logging ?? null,
  behaviors: orDefault(config.behaviors, 'autoscroll,autoplay,autofetch,siteSpecific'),
  customBehaviors: config.customBehaviors ?? [],
  userAgent: config.userAgent ?? null,
  selectLinks: config.selectLinks ?? ['a[href]->href'],
  clickSelector: config.clickSelector ?? 'a',
  alwaysAddBehaviorLinks: orDefault(config.alwaysAddBehaviorLinks, false),
  saveStorage: orDefault(config.saveStorage, false),
  // Not the contract's: clients that compare whole configs meet it only where somebody has set it.
  ...(typeof config.dedupePagesMinDepth === 'number' ? { dedupePagesMinDepth: config.dedupePagesMinDepth } : {}),
});
