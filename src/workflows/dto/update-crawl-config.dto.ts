import { Of, Str, Int, Bool, ListOf, AnyOf, Nested } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { RawCrawlConfig } from '../../items/dto/raw-crawl-config.dto.js';
import { countUpToSetting, cronSchedule, filenameTemplate } from './field-types.js';

export class UpdateCrawlConfig {
  @Str({ min: 0, max: 1000, nullable: true, optional: true }) name?: string | null;
  @ListOf(str({ min: 1, max: 80 }), { nullable: true, optional: true }) tags?: string[] | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @ListOf(uuid(), { nullable: true, optional: true }) autoAddCollections?: string[] | null;
  @AnyOf([uuid(), str({ min: 0, max: 0 })], { nullable: true, optional: true }) dedupeCollId?: string | null;
  @Bool() runNow = false;
  @Bool() updateRunning = false;
  @Of(cronSchedule(), { nullable: true, optional: true }) schedule?: string | null;
  @AnyOf([uuid(), str({ min: 0, max: 0 })], { nullable: true, optional: true }) profileid?: string | null;
  @Str({ nullable: true, optional: true }) crawlerChannel?: string | null;
  @Str({ nullable: true, optional: true }) proxyId?: string | null;
  @Int({ nullable: true, optional: true }) crawlTimeout?: number | null;
  @Int({ nullable: true, optional: true }) maxCrawlSize?: number | null;
  @Of(countUpToSetting(4), { nullable: true, optional: true, deprecated: true }) scale?: number | null;
  @Of(countUpToSetting(8), { nullable: true, optional: true }) browserWindows?: number | null;
  @Of(filenameTemplate(), { nullable: true, optional: true }) crawlFilenameTemplate?: string | null;
  @Nested(() => RawCrawlConfig, { nullable: true, optional: true }) config?: RawCrawlConfig | null;
  @Bool({ nullable: true, optional: true }) shareable?: boolean | null;
}
