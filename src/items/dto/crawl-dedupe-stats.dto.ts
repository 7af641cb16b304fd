import { int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlDedupeStats {
  @Field(int(), { default: 0 }) uniqueHashes!: number;
  @Field(int(), { default: 0 }) totalUrls!: number;
  @Field(int(), { default: 0 }) dupeUrls!: number;
  @Field(int(), { default: 0 }) conservedSize!: number;
}
