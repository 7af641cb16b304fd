import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { STATE } from './item-state.facts.js';
import { StoredFile, StoredFileSchema } from '../../objects/data/stored-file.schema.js';

/** Counters of a crawl or QA run. `size` is in bytes and sums pending and uploaded data. */
@Schema({ _id: false })
export class StoredCrawlStats {
  @Prop({ type: Number, default: 0 }) found!: number;
  @Prop({ type: Number, default: 0 }) done!: number;
  @Prop({ type: Number, default: 0 }) size!: number;
  /** Ids of the crawls to whose payloads this one refers. */
  @Prop({ type: [String], default: [] }) req_crawls!: string[];
}
export const StoredCrawlStatsSchema = SchemaFactory.createForClass(StoredCrawlStats);

/**
 * A QA run inside its crawl. It is `qa` while it is active and `qaFinished.<id>` afterwards. Contract: crawling §3.5.
 */
@Schema({ _id: false, minimize: false })
export class QaRun {
  @Prop({ type: String, required: true }) id!: string;
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) userid!: string;
  @Prop({ type: String, default: null }) userName!: string | null;
  @Prop({ type: Date, required: true }) started!: Date;
  @Prop({ type: Date, default: null }) finished!: Date | null;
  @Prop({ type: String, required: true, holds: STATE }) state!: string;
  @Prop({ type: Number, default: 0 }) crawlExecSeconds!: number;
  @Prop({ type: String, default: null }) image!: string | null;
  @Prop({ type: StoredCrawlStatsSchema, default: () => ({}) }) stats!: StoredCrawlStats | null;
  @Prop({ type: [StoredFileSchema], default: [] }) files!: StoredFile[];
  /** Bytes. */
  @Prop({ type: Number, default: 0 }) fileSize!: number;
  @Prop({ type: Number, default: 0 }) fileCount!: number;
  /** Largest number of pages to check; null means all. This field is ours. */
  @Prop({ type: Number }) limit?: number | null;
  /** Text that the URLs of pages to check contain. This field is ours. */
  @Prop({ type: String }) urlMatch?: string | null;
  /** Why the QA run waits, as `stateReason` of a crawl. */
  @Prop({ type: String, required: false }) stateReason?: string | null;
  /** Execution time is counted up to this moment. The field is absent before the QA run first runs. */
  @Prop({ type: Date, required: false }) _lut?: Date;
}
export const QaRunSchema = SchemaFactory.createForClass(QaRun);
