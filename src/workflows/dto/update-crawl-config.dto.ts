import { list, model, nullable, oneOf } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { RawCrawlConfig } from '../../items/dto/raw-crawl-config.dto.js';
import { countUpToSetting, cronSchedule, filenameTemplate } from './field-types.js';
import { Field } from '../../common/validation/model.js';

export class UpdateCrawlConfig {
  @Field(nullable(str({ min: 0, max: 1000 })), { optional: true }) name?: string | null;
  @Field(nullable(list(str({ min: 1, max: 80 }))), { optional: true }) tags?: string[] | null;
  @Field(nullable(str({ max: 5000 })), { optional: true }) description?: string | null;
  @Field(nullable(list(uuid())), { optional: true }) autoAddCollections?: string[] | null;
  @Field(nullable(oneOf(uuid(), str({ min: 0, max: 0 }))), { optional: true }) dedupeCollId?: string | null;
  @Field(bool(), { default: false }) runNow!: boolean;
  @Field(bool(), { default: false }) updateRunning!: boolean;
  @Field(nullable(cronSchedule()), { optional: true }) schedule?: string | null;
  @Field(nullable(oneOf(uuid(), str({ min: 0, max: 0 }))), { optional: true }) profileid?: string | null;
  @Field(nullable(str()), { optional: true }) crawlerChannel?: string | null;
  @Field(nullable(str()), { optional: true }) proxyId?: string | null;
  @Field(nullable(int()), { optional: true }) crawlTimeout?: number | null;
  @Field(nullable(int()), { optional: true }) maxCrawlSize?: number | null;
  @Field(nullable(countUpToSetting(4)), { optional: true, deprecated: true }) scale?: number | null;
  @Field(nullable(countUpToSetting(8)), { optional: true }) browserWindows?: number | null;
  @Field(nullable(filenameTemplate()), { optional: true }) crawlFilenameTemplate?: string | null;
  @Field(nullable(model(() => RawCrawlConfig)), { optional: true }) config?: RawCrawlConfig | null;
  @Field(nullable(bool()), { optional: true }) shareable?: boolean | null;
}
