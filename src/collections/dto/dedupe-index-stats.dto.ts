import { int, num } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class DedupeIndexStats {
  @Field(int(), { default: 0 }) totalUrls!: number;
  @Field(int(), { default: 0 }) dupeUrls!: number;
  @Field(int(), { default: 0 }) conservedSize!: number;
  @Field(int(), { default: 0 }) totalCrawls!: number;
  @Field(int(), { default: 0 }) totalCrawlSize!: number;
  @Field(int(), { default: 0 }) removedCrawls!: number;
  @Field(int(), { default: 0 }) removedCrawlSize!: number;
  @Field(num(), { default: 0 }) updateProgress!: number;
  @Field(int(), { default: 0 }) uniqueHashes!: number;
  @Field(int(), { default: 0 }) estimatedRedundantSize!: number;
}
