import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';

type Judged = Pick<StoredCrawlConfig, 'seeds' | 'limit' | 'scopeType' | 'extraHops' | 'alwaysAddBehaviorLinks'>;

/**
 * Whether a config can only ever crawl one page. Such crawls get one browser window, and no scratch space that outlives
 * an instance. A seed file takes the place of all seeds. Contract: crawling §4.5.
 */
export function isSinglePage({ seeds, limit, scopeType, extraHops, alwaysAddBehaviorLinks }: Judged): boolean {
  const [seed, ...others] = seeds ?? [];
  if (!seed || others.length > 0) return false;
  if (limit === 1) return true;
  if (alwaysAddBehaviorLinks) return false;
  return (seed.extraHops || extraHops || 0) === 0 && (seed.scopeType ?? scopeType) === 'page';
}
