import { list, nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlConfigDefaults {
  @Field(nullable(int()), { optional: true }) crawlTimeout?: number | null;
  @Field(nullable(int()), { optional: true }) maxCrawlSize?: number | null;
  @Field(nullable(int()), { optional: true }) pageLoadTimeout?: number | null;
  @Field(nullable(int()), { optional: true }) postLoadDelay?: number | null;
  @Field(nullable(int()), { optional: true }) behaviorTimeout?: number | null;
  @Field(nullable(int()), { optional: true }) pageExtraDelay?: number | null;
  @Field(nullable(bool()), { optional: true }) blockAds?: boolean | null;
  @Field(nullable(uuid()), { optional: true }) profileid?: string | null;
  @Field(nullable(str()), { optional: true }) crawlerChannel?: string | null;
  @Field(nullable(str()), { optional: true }) proxyId?: string | null;
  @Field(nullable(str()), { optional: true }) lang?: string | null;
  @Field(nullable(str()), { optional: true }) userAgent?: string | null;
  @Field(nullable(list(str())), { optional: true }) exclude?: string[] | null;
  @Field(list(str()), { default: [] }) customBehaviors!: string[];
  @Field(nullable(uuid()), { optional: true }) dedupeCollId?: string | null;
}
