import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { STATE } from './item-state.facts.js';
import { StoredFile, StoredFileSchema } from '../../objects/data/stored-file.schema.js';

/** Counters of a run. `size` in bytes: pending and uploaded. */
@Schema({ _id: false })
export class StoredCrawlStats {
  @Prop({ type: Number, default: 0 }) found!: number;
  @Prop({ type: Number, default: 0 }) done!: number;
  @Prop({ type: Number, default: 0 }) size!: number;
  /** Ids of the crawls whose payloads this one refers to. */
  @Prop({ type: [String], default: [] }) req_crawls!: string[];
}
export const StoredCrawlStatsSchema = SchemaFactory.createForClass(StoredCrawlStats);

/** A QA run inside its crawl: `qa` while it is active, then `qaFinished.<id>`. Contract: crawling §3.5. */
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
  /** Pages to look at, at most; null: all. Addition of ours. */
  @Prop({ type: Number }) limit?: number | null;
  /** Text that the URLs to look at contain. Addition of ours. */
  @Prop({ type: String }) urlMatch?: string | null;
  /** As a crawl's. */
  @Prop({ type: String, required: false }) stateReason?: string | null;
  /** Up to when execution time is counted; absent before the first running moment. */
  @Prop({ type: Date, required: false }) _lut?: Date;
}
export const QaRunSchema = SchemaFactory.createForClass(QaRun);
