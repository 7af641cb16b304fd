import { Str, Int, Bool, Uuid, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class CrawlConfigDefaults {
  @Int({ nullable: true, optional: true }) crawlTimeout?: number | null;
  @Int({ nullable: true, optional: true }) maxCrawlSize?: number | null;
  @Int({ nullable: true, optional: true }) pageLoadTimeout?: number | null;
  @Int({ nullable: true, optional: true }) postLoadDelay?: number | null;
  @Int({ nullable: true, optional: true }) behaviorTimeout?: number | null;
  @Int({ nullable: true, optional: true }) pageExtraDelay?: number | null;
  @Bool({ nullable: true, optional: true }) blockAds?: boolean | null;
  @Uuid({ nullable: true, optional: true }) profileid?: string | null;
  @Str({ nullable: true, optional: true }) crawlerChannel?: string | null;
  @Str({ nullable: true, optional: true }) proxyId?: string | null;
  @Str({ nullable: true, optional: true }) lang?: string | null;
  @Str({ nullable: true, optional: true }) userAgent?: string | null;
  @ListOf(str(), { nullable: true, optional: true }) exclude?: string[] | null;
  @ListOf(str()) customBehaviors: string[] = [];
  @Uuid({ nullable: true, optional: true }) dedupeCollId?: string | null;
}
