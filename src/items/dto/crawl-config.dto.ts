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
  @AnyOf([bool(), httpUrlText()], { nullable: true, optional: true }) sitemap?: boolean | string | null;
  @Bool({ nullable: true, optional: true }) allowHash?: boolean | null;
  @Int({ nullable: true, optional: true }) depth?: number | null;
  @Int({ nullable: true, optional: true }) extraHops?: number | null;
}

@ApiSchema({ name: 'RawCrawlConfig-Output' })
export class RawCrawlConfig {
  @ListOf(() => Seed, { nullable: true }) seeds: Seed[] | null = [];
  @Uuid({ nullable: true, optional: true }) seedFileId?: string | null;
  @Enum('ScopeType', SCOPE_TYPES, { nullable: true }) scopeType: ScopeType | null = 'prefix';
  @AnyOf([str(), list(str())], { nullable: true, optional: true }) include?: string | string[] | null;
  @AnyOf([str(), list(str())], { nullable: true, optional: true }) exclude?: string | string[] | null;
  @Int({ nullable: true }) depth: number | null = -1;
  @Int({ nullable: true }) limit: number | null = 0;
  @Int({ nullable: true }) extraHops: number | null = 0;
  @Str({ nullable: true, optional: true }) lang?: string | null;
  @Bool({ nullable: true }) blockAds: boolean | null = false;
  @Int({ nullable: true, optional: true }) behaviorTimeout?: number | null;
  @Int({ nullable: true, optional: true }) pageLoadTimeout?: number | null;
  @Int({ nullable: true }) pageExtraDelay: number | null = 0;
  @Int({ nullable: true }) postLoadDelay: number | null = 0;
  @Int({ nullable: true, optional: true }) workers?: number | null;
  @Bool({ nullable: true, optional: true }) headless?: boolean | null;
  @Bool({ nullable: true, optional: true }) generateWACZ?: boolean | null;
  @Bool({ nullable: true, optional: true }) combineWARC?: boolean | null;
  @Bool({ nullable: true }) useSitemap: boolean | null = false;
  @Bool({ nullable: true }) useRobots: boolean | null = false;
  @Bool({ nullable: true }) failOnFailedSeed: boolean | null = false;
  @Bool({ nullable: true }) failOnContentCheck: boolean | null = false;
  @Str({ nullable: true, optional: true }) logging?: string | null;
  @Str({ nullable: true }) behaviors: string | null = 'autoscroll,autoplay,autofetch,siteSpecific';
  @ListOf(str()) customBehaviors: string[] = [];
  @Str({ nullable: true, optional: true }) userAgent?: string | null;
  @ListOf(str()) selectLinks: string[] = ['a[href]->href'];
  @Str() clickSelector = 'a';
  @Bool({ nullable: true }) alwaysAddBehaviorLinks: boolean | null = false;
  @Bool({ nullable: true }) saveStorage: boolean | null = false;
}

/** The config as clients send it. The contract names input and output apart. */
@ApiSchema({ name: 'RawCrawlConfig-Input' })
export class SentCrawlConfig extends RawCrawlConfig {}
