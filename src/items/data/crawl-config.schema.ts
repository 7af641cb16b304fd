import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { eitherOf, listOf, TEXT, wordOf, YES_OR_NO } from '../../database/described.js';

export const SCOPE_TYPES = ['page', 'page-spa', 'prefix', 'host', 'domain', 'any', 'custom'] as const;
export type StoredScopeType = (typeof SCOPE_TYPES)[number];

const { Mixed, UUID } = MongooseSchema.Types;
const SCOPE_TYPE = wordOf(...SCOPE_TYPES);
const PATTERNS = eitherOf(TEXT, listOf(TEXT));

/** One start address of a crawl. A null field means that the config decides. Contract: crawling §3.2. */
@Schema({ _id: false })
export class StoredSeed {
  @Prop({ type: String, required: true }) url!: string;
  @Prop({ type: String, default: null, holds: SCOPE_TYPE }) scopeType!: StoredScopeType | null;
  /** One regex or a list of them. */
  @Prop({ type: Mixed, default: null, holds: PATTERNS }) include!: string | string[] | null;
  @Prop({ type: Mixed, default: null, holds: PATTERNS }) exclude!: string | string[] | null;
  /** True for the site's own sitemap, or the address of a sitemap. */
  @Prop({ type: Mixed, default: null, holds: eitherOf(YES_OR_NO, TEXT) }) sitemap!: boolean | string | null;
  @Prop({ type: Boolean, default: null }) allowHash!: boolean | null;
  @Prop({ type: Number, default: null }) depth!: number | null;
  @Prop({ type: Number, default: null }) extraHops!: number | null;
}
export const StoredSeedSchema = SchemaFactory.createForClass(StoredSeed);

/**
 * The settings of a crawl. Workflows, their revisions and crawls store them; a crawl's page limit is clamped. Contract:
 * crawling §3.2.
 */
@Schema({ _id: false })
export class StoredCrawlConfig {
  @Prop({ type: [StoredSeedSchema], default: [] }) seeds!: StoredSeed[] | null;
  @Prop({ type: UUID, default: null }) seedFileId!: string | null;
  @Prop({ type: String, default: 'prefix', holds: SCOPE_TYPE }) scopeType!: StoredScopeType | null;
  @Prop({ type: Mixed, default: null, holds: PATTERNS }) include!: string | string[] | null;
  @Prop({ type: Mixed, default: null, holds: PATTERNS }) exclude!: string | string[] | null;
  @Prop({ type: Number, default: -1 }) depth!: number | null;
  /** Pages; 0 means no limit. */
  @Prop({ type: Number, default: 0 }) limit!: number | null;
  @Prop({ type: Number, default: 0 }) extraHops!: number | null;
  @Prop({ type: String, default: null }) lang!: string | null;
  @Prop({ type: Boolean, default: false }) blockAds!: boolean | null;
  /** Seconds. */
  @Prop({ type: Number, default: null }) behaviorTimeout!: number | null;
  /** Seconds. */
  @Prop({ type: Number, default: null }) pageLoadTimeout!: number | null;
  /** Seconds. */
  @Prop({ type: Number, default: 0 }) pageExtraDelay!: number | null;
  /** Seconds. */
  @Prop({ type: Number, default: 0 }) postLoadDelay!: number | null;
  @Prop({ type: Number, default: null }) workers!: number | null;
  @Prop({ type: Boolean, default: null }) headless!: boolean | null;
  @Prop({ type: Boolean, default: null }) generateWACZ!: boolean | null;
  @Prop({ type: Boolean, default: null }) combineWARC!: boolean | null;
  @Prop({ type: Boolean, default: false }) useSitemap!: boolean | null;
  @Prop({ type: Boolean, default: false }) useRobots!: boolean | null;
  @Prop({ type: Boolean, default: false }) failOnFailedSeed!: boolean | null;
  @Prop({ type: Boolean, default: false }) failOnContentCheck!: boolean | null;
  @Prop({ type: String, default: null }) logging!: string | null;
  /** Names of behaviors, separated by commas. */
  @Prop({ type: String, default: 'autoscroll,autoplay,autofetch,siteSpecific' }) behaviors!: string | null;
  @Prop({ type: [String], default: [] }) customBehaviors!: string[];
  @Prop({ type: String, default: null }) userAgent!: string | null;
  /** `<css selector>-><property or @attribute>`. */
  @Prop({ type: [String], default: ['a[href]->href'] }) selectLinks!: string[];
  @Prop({ type: String, default: 'a' }) clickSelector!: string;
  @Prop({ type: Boolean, default: false }) alwaysAddBehaviorLinks!: boolean | null;
  @Prop({ type: Boolean, default: false }) saveStorage!: boolean | null;
  /** Least depth of pages that are skipped when their document is known; -1 or null: none. Absent in older documents. */
  @Prop({ type: Number, default: null }) dedupePagesMinDepth?: number | null;
}
export const StoredCrawlConfigSchema = SchemaFactory.createForClass(StoredCrawlConfig);
