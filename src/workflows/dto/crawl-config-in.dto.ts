import { Of, Str, Int, Bool, Enum, ListOf, AnyOf, Nested } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { RawCrawlConfig } from '../../items/dto/raw-crawl-config.dto.js';
import { JOB_TYPES, type JobType } from './job-type.js';
import { countUpToSetting, cronSchedule, filenameTemplate } from './field-types.js';

export class CrawlConfigIn {
  @Of(cronSchedule(), { nullable: true }) schedule: string | null = '';
  @Bool() runNow = false;
  @Nested(() => RawCrawlConfig) config!: RawCrawlConfig;
  @Str({ min: 0, max: 1000 }) name!: string;
  @Str({ max: 5000, nullable: true }) description: string | null = '';
  @Enum('JobType', JOB_TYPES, { nullable: true }) jobType: JobType | null = 'custom';
  @AnyOf([uuid(), str({ min: 0, max: 0 })], { nullable: true, optional: true }) profileid?: string | null;
  @Str() crawlerChannel = 'default';
  @Str({ nullable: true, optional: true }) proxyId?: string | null;
  @ListOf(uuid(), { nullable: true }) autoAddCollections: string[] | null = [];
  @AnyOf([uuid(), str({ min: 0, max: 0 })], { nullable: true, optional: true }) dedupeCollId?: string | null;
  @ListOf(str({ min: 1, max: 80 }), { nullable: true }) tags: string[] | null = [];
  @Int() crawlTimeout = 0;
  @Int() maxCrawlSize = 0;
  @Of(countUpToSetting(4), { deprecated: true }) scale = 1;
  @Of(countUpToSetting(8), { nullable: true, optional: true }) browserWindows?: number | null;
  @Of(filenameTemplate(), { nullable: true, optional: true }) crawlFilenameTemplate?: string | null;
  @Bool() shareable = false;
}
