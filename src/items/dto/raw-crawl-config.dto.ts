import { TwoSided } from '../../common/openapi/returns.js';
import { list } from '../../common/validation/composites.js';
import { Str, Int, Bool, Uuid, Enum, ListOf, AnyOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { SCOPE_TYPES, type ScopeType } from './scope-type.js';
import { Seed } from './seed.dto.js';

@TwoSided()
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
