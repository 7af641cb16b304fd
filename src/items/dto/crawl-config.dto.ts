import { ApiSchema } from '@nestjs/swagger';
import { list } from '../../common/validation/composites.js';
import { Int, Bool, HttpUrlText, Enum, AnyOf, Str, Uuid, ListOf } from '../../common/validation/fields.js';
import { httpUrlText } from '../../common/validation/formats.js';
import { str, bool } from '../../common/validation/scalars.js';
import { type StoredScopeType, SCOPE_TYPES } from '../data/crawl-config.schema.js';

export type ScopeType = StoredScopeType;

export class Seed {
  @HttpUrlText() url!: string;
  @Enum('ScopeType', SCOPE_TYPES, { nullable: true, optional: true }) scopeType?: ScopeType | null;
  @AnyOf([str(), list(str())], { nullable: true, optional: true }) include?: string | string[] | null;
  @AnyOf([str(), list(str())], { nullable: true, optional: true }) exclude?: string | string[] | null;
  /** Whether to take URLs from the site's sitemap, or where the sitemap is. */
  @AnyOf([bool(), httpUrlText()], { nullable: true, optional: true }) sitemap?: boolean | string | null;
  /** Whether addresses that differ after `#` are different pages. */
  @Bool({ nullable: true, optional: true }) allowHash?: boolean | null;
  @Int({ nullable: true, optional: true }) depth?: number | null;
  @Int({ nullable: true, optional: true }) extraHops?: number | null;
}

@ApiSchema({ name: 'RawCrawlConfig-Output' })
export class RawCrawlConfig {
  /** Where to start; in answers of other operations, a list of their own. */
  @ListOf(() => Seed, { nullable: true }) seeds: Seed[] | null = [];
  /** Id of a file of start URLs, instead of `seeds`. */
  @Uuid({ nullable: true, optional: true }) seedFileId?: string | null;
  @Enum('ScopeType', SCOPE_TYPES, { nullable: true }) scopeType: ScopeType | null = 'prefix';
  @AnyOf([str(), list(str())], { nullable: true, optional: true }) include?: string | string[] | null;
  @AnyOf([str(), list(str())], { nullable: true, optional: true }) exclude?: string | string[] | null;
  @Int({ nullable: true }) depth: number | null = -1;
  /** Most pages; 0: no limit but the org's. */
  @Int({ nullable: true }) limit: number | null = 0;
  @Int({ nullable: true }) extraHops: number | null = 0;
  @Str({ nullable: true, optional: true }) lang?: string | null;
  @Bool({ nullable: true }) blockAds: boolean | null = false;
  @Int({ nullable: true, optional: true }) behaviorTimeout?: number | null;
  @Int({ nullable: true, optional: true }) pageLoadTimeout?: number | null;
  @Int({ nullable: true }) pageExtraDelay: number | null = 0;
  @Int({ nullable: true }) postLoadDelay: number | null = 0;
  /** Number of windows of one instance; set by the service. */
  @Int({ nullable: true, optional: true }) workers?: number | null;
  /** Whether the browser runs without a display; set by the service. */
  @Bool({ nullable: true, optional: true }) headless?: boolean | null;
  /** Whether a WACZ is written; set by the service. */
  @Bool({ nullable: true, optional: true }) generateWACZ?: boolean | null;
  /** Whether WARC files are combined; set by the service. */
  @Bool({ nullable: true, optional: true }) combineWARC?: boolean | null;
  /** Whether to take URLs from the sites' sitemaps. */
  @Bool({ nullable: true }) useSitemap: boolean | null = false;
  /** Whether robots.txt is obeyed. */
  @Bool({ nullable: true }) useRobots: boolean | null = false;
  /** Whether the crawl fails when a start page does. */
  @Bool({ nullable: true }) failOnFailedSeed: boolean | null = false;
  /** Whether the crawl fails when a behavior finds the browser logged out. */
  @Bool({ nullable: true }) failOnContentCheck: boolean | null = false;
  /** What the crawler logs; set by the service. */
  @Str({ nullable: true, optional: true }) logging?: string | null;
  /** Names of the built-in behaviors, comma-separated. */
  @Str({ nullable: true }) behaviors: string | null = 'autoscroll,autoplay,autofetch,siteSpecific';
  @ListOf(str()) customBehaviors: string[] = [];
  @Str({ nullable: true, optional: true }) userAgent?: string | null;
  /** Where links are found: CSS selector, `->`, property or attribute. */
  @ListOf(str()) selectLinks: string[] = ['a[href]->href'];
  /** CSS selector of what the behavior `autoclick` clicks. */
  @Str() clickSelector = 'a';
  /** Whether links that behaviors find are followed whatever the depth. */
  @Bool({ nullable: true }) alwaysAddBehaviorLinks: boolean | null = false;
  /** Whether local and session storage of pages are recorded. */
  @Bool({ nullable: true }) saveStorage: boolean | null = false;
  /**
   * Pages of this depth or more are skipped when an item of the collection that is compared with holds the same
   * document for their address; 0: start pages, too; -1 or null: none. Without effect without `dedupeCollId`. Answers
   * have it where it is set.
   */
  @Int({ min: -1, nullable: true, optional: true }) dedupePagesMinDepth?: number | null;
}

/** The config as clients send it. The contract names input and output apart. */
@ApiSchema({ name: 'RawCrawlConfig-Input' })
export class SentCrawlConfig extends RawCrawlConfig {}
