import { slugOfName } from '../../common/text/slug.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import { parseUrl } from '../../common/text/parse-url.js';

/** What a crawl's config is adapted to. */
export interface DriverConfigOptions {
  /** Presigned URL of the seed file; it is absolute. */
  readonly seedFileUrl?: string;
  /** False: the crawler's image is too old for the `autoclick` behavior. */
  readonly hasAutoclick: boolean;
  /** Whether the crawl is compared with a collection. Otherwise no crawler may skip pages by what it knows. */
  readonly isCompared?: boolean;
}

/** Makes the config file of a crawler: it has no nulls, and the seed file as a URL. Contract: crawling §14.7. */
export function driverConfig(
  config: StoredCrawlConfig,
  { seedFileUrl, hasAutoclick, isCompared = false }: DriverConfigOptions,
): Record<string, unknown> {
  const { seedFileId: _seedFileId, behaviors, dedupePagesMinDepth, ...rest } = config;
  return withoutNulls({
    ...rest,
    dedupePagesMinDepth: isCompared ? dedupePagesMinDepth : null,
    behaviors: hasAutoclick ? behaviors : withoutAutoclick(behaviors),
    seedFile: seedFileUrl ?? null,
  }) as Record<string, unknown>;
}

function withoutAutoclick(behaviors: string | null): string | null {
  if (behaviors === null) return null;
  return behaviors
    .split(',')
    .filter((name) => name.trim() !== 'autoclick')
    .join(',');
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(given.map(([key, field]) => [key, withoutNulls(field)]));
}

/**
 * The prefix of WARC names. It has org and workflow, so that a file found alone tells where it is from. Contract:
 * crawling §14.1.
 */
export function warcPrefix(orgSlug: string, workflowName: string | null, firstSeed: string): string {
  const host = parseUrl(firstSeed)?.hostname ?? firstSeed;
  return `${orgSlug}-${slugOfName(workflowName?.trim() ? workflowName : host)}`.slice(0, 80);
}
