import { TwoSided } from '../../common/openapi/returns.js';
import { enumOf, list, model, nullable, oneOf } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { SCOPE_TYPES, type ScopeType } from './scope-type.js';
import { Seed } from './seed.dto.js';
import { Field } from '../../common/validation/model.js';

@TwoSided()
export class RawCrawlConfig {
  @Field(nullable(list(model(() => Seed))), { default: [] }) seeds!: Seed[] | null;
  @Field(nullable(uuid()), { optional: true }) seedFileId?: string | null;
  @Field(nullable(enumOf('ScopeType', SCOPE_TYPES)), { default: 'prefix' }) scopeType!: ScopeType | null;
  @Field(nullable(oneOf(str(), list(str()))), { optional: true }) include?: string | string[] | null;
  @Field(nullable(oneOf(str(), list(str()))), { optional: true }) exclude?: string | string[] | null;
  @Field(nullable(int()), { default: -1 }) depth!: number | null;
  @Field(nullable(int()), { default: 0 }) limit!: number | null;
  @Field(nullable(int()), { default: 0 }) extraHops!: number | null;
  @Field(nullable(str()), { optional: true }) lang?: string | null;
  @Field(nullable(bool()), { default: false }) blockAds!: boolean | null;
  @Field(nullable(int()), { optional: true }) behaviorTimeout?: number | null;
  @Field(nullable(int()), { optional: true }) pageLoadTimeout?: number | null;
  @Field(nullable(int()), { default: 0 }) pageExtraDelay!: number | null;
  @Field(nullable(int()), { default: 0 }) postLoadDelay!: number | null;
  @Field(nullable(int()), { optional: true }) workers?: number | null;
  @Field(nullable(bool()), { optional: true }) headless?: boolean | null;
  @Field(nullable(bool()), { optional: true }) generateWACZ?: boolean | null;
  @Field(nullable(bool()), { optional: true }) combineWARC?: boolean | null;
  @Field(nullable(bool()), { default: false }) useSitemap!: boolean | null;
  @Field(nullable(bool()), { default: false }) useRobots!: boolean | null;
  @Field(nullable(bool()), { default: false }) failOnFailedSeed!: boolean | null;
  @Field(nullable(bool()), { default: false }) failOnContentCheck!: boolean | null;
  @Field(nullable(str()), { optional: true }) logging?: string | null;
  @Field(nullable(str()), { default: 'autoscroll,autoplay,autofetch,siteSpecific' }) behaviors!: string | null;
  @Field(list(str()), { default: [] }) customBehaviors!: string[];
  @Field(nullable(str()), { optional: true }) userAgent?: string | null;
  @Field(list(str()), { default: ['a[href]->href'] }) selectLinks!: string[];
  @Field(str(), { default: 'a' }) clickSelector!: string;
  @Field(nullable(bool()), { default: false }) alwaysAddBehaviorLinks!: boolean | null;
  @Field(nullable(bool()), { default: false }) saveStorage!: boolean | null;
}
