import { model, nullable, oneOf } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { int, str } from '../../common/validation/scalars.js';
import { RawCrawlConfig } from '../../items/dto/raw-crawl-config.dto.js';
import { Field } from '../../common/validation/model.js';

export class ConfigRevision {
  @Field(nullable(oneOf(uuid(), str()))) id!: string | null;
  @Field(uuid()) cid!: string;
  @Field(nullable(str()), { default: '' }) schedule!: string | null;
  @Field(model(() => RawCrawlConfig)) config!: RawCrawlConfig;
  @Field(nullable(uuid()), { default: null }) profileid!: string | null;
  @Field(nullable(str()), { default: null }) crawlerChannel!: string | null;
  @Field(nullable(str()), { default: null }) proxyId!: string | null;
  @Field(nullable(int()), { default: 0 }) crawlTimeout!: number | null;
  @Field(nullable(int()), { default: 0 }) maxCrawlSize!: number | null;
  @Field(nullable(int({ min: 1, max: 4 })), { default: 1, deprecated: true }) scale!: number | null;
  @Field(nullable(int({ min: 1, max: 8 })), { default: 2 }) browserWindows!: number | null;
  @Field(dateTime()) modified!: string;
  @Field(nullable(uuid()), { default: null }) modifiedBy!: string | null;
  @Field(int(), { default: 0 }) rev!: number;
}
