export type SeedScopeType = 'page' | 'page-spa' | 'prefix' | 'host' | 'domain' | 'any' | 'custom';

/** One seed as stored (crawling §3.2); null and absent both mean "as the workflow says". */
export interface SeedConfig {
  readonly url: string;
  readonly scopeType?: SeedScopeType | null;
  readonly include?: string | string[] | null;
  readonly exclude?: string | string[] | null;
  /** true: robots.txt and /sitemap.xml of the seed's origin; a string: the sitemap's URL. */
  readonly sitemap?: boolean | string | null;
  readonly allowHash?: boolean | null;
  readonly depth?: number | null;
  readonly extraHops?: number | null;
}

/** The workflow's `config` object (crawling §3.2 and crawling §14.7), `limit` already clamped. Times in seconds. */
export interface WorkflowConfig {
  readonly seeds?: SeedConfig[] | null;
  readonly scopeType?: SeedScopeType | null;
  /** Regular expressions; a URL matching any of them is in scope (scope type `custom`, or added to the type's own). */
  readonly include?: string | string[] | null;
  readonly exclude?: string | string[] | null;
  /** -1: unlimited. */
  readonly depth?: number | null;
  /** Pages; 0: unlimited. */
  readonly limit?: number | null;
  readonly extraHops?: number | null;
  readonly lang?: string | null;
  readonly blockAds?: boolean | null;
  readonly behaviorTimeout?: number | null;
  readonly pageLoadTimeout?: number | null;
  readonly pageExtraDelay?: number | null;
  readonly postLoadDelay?: number | null;
  readonly useSitemap?: boolean | null;
  readonly useRobots?: boolean | null;
  readonly failOnFailedSeed?: boolean | null;
  readonly failOnContentCheck?: boolean | null;
  /** Comma list of autoscroll, autoplay, autofetch, siteSpecific, autoclick. */
  readonly behaviors?: string | null;
  customBehaviors?: string[] | null;
  readonly userAgent?: string | null;
  /** Each `<css selector>-><property or @attribute>`. */
  readonly selectLinks?: string[] | null;
  readonly clickSelector?: string | null;
  readonly alwaysAddBehaviorLinks?: boolean | null;
  readonly saveStorage?: boolean | null;
  /**
   * Pages of this depth or more are not run when an earlier item holds the same document for their address; -1: all are
   * run. Without effect where originals are not asked for.
   */
  readonly dedupePagesMinDepth?: number | null;
}
