import type { StoredSeed } from './data/crawl-config.schema.js';
import type { Seed } from './dto/crawl-config.dto.js';

/** Completes a sent or stored seed, as it is stored and shown. Missing fields become null. */
export const wholeSeed = (seed: Seed): StoredSeed => ({
  url: seed.url,
  scopeType: seed.scopeType ?? null,
  include: seed.include ?? null,
  exclude: seed.exclude ?? null,
  sitemap: seed.sitemap ?? null,
  allowHash: seed.allowHash ?? null,
  depth: seed.depth ?? null,
  extraHops: seed.extraHops ?? null,
});
