import { Str, Int, Uuid, TimeText, AnyOf, Nested } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { RawCrawlConfig } from '../../items/dto/raw-crawl-config.dto.js';

export class ConfigRevision {
  @AnyOf([uuid(), str()], { nullable: true }) id!: string | null;
  @Uuid() cid!: string;
  @Str({ nullable: true }) schedule: string | null = '';
  @Nested(() => RawCrawlConfig) config!: RawCrawlConfig;
  @Uuid({ nullable: true }) profileid: string | null = null;
  @Str({ nullable: true }) crawlerChannel: string | null = null;
  @Str({ nullable: true }) proxyId: string | null = null;
  @Int({ nullable: true }) crawlTimeout: number | null = 0;
  @Int({ nullable: true }) maxCrawlSize: number | null = 0;
  @Int({ min: 1, max: 4, nullable: true, deprecated: true }) scale: number | null = 1;
  @Int({ min: 1, max: 8, nullable: true }) browserWindows: number | null = 2;
  @TimeText() modified!: string;
  @Uuid({ nullable: true }) modifiedBy: string | null = null;
  @Int() rev = 0;
}
