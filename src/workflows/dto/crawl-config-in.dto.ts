import { enumOf, list, model, nullable, oneOf } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { RawCrawlConfig } from '../../items/dto/raw-crawl-config.dto.js';
import { JOB_TYPES, type JobType } from './job-type.js';
import { countUpToSetting, cronSchedule, filenameTemplate } from './field-types.js';
import { Field } from '../../common/validation/model.js';

export class CrawlConfigIn {
  @Field(nullable(cronSchedule()), { default: '' }) schedule!: string | null;
  @Field(bool(), { default: false }) runNow!: boolean;
  @Field(model(() => RawCrawlConfig)) config!: RawCrawlConfig;
  @Field(str({ min: 0, max: 1000 })) name!: string;
  @Field(nullable(str({ max: 5000 })), { default: '' }) description!: string | null;
  @Field(nullable(enumOf('JobType', JOB_TYPES)), { default: 'custom' }) jobType!: JobType | null;
  @Field(nullable(oneOf(uuid(), str({ min: 0, max: 0 }))), { optional: true }) profileid?: string | null;
  @Field(str(), { default: 'default' }) crawlerChannel!: string;
  @Field(nullable(str()), { optional: true }) proxyId?: string | null;
  @Field(nullable(list(uuid())), { default: [] }) autoAddCollections!: string[] | null;
  @Field(nullable(oneOf(uuid(), str({ min: 0, max: 0 }))), { optional: true }) dedupeCollId?: string | null;
  @Field(nullable(list(str({ min: 1, max: 80 }))), { default: [] }) tags!: string[] | null;
  @Field(int(), { default: 0 }) crawlTimeout!: number;
  @Field(int(), { default: 0 }) maxCrawlSize!: number;
  @Field(countUpToSetting(4), { default: 1, deprecated: true }) scale!: number;
  @Field(nullable(countUpToSetting(8)), { optional: true }) browserWindows?: number | null;
  @Field(nullable(filenameTemplate()), { optional: true }) crawlFilenameTemplate?: string | null;
  @Field(bool(), { default: false }) shareable!: boolean;
}
