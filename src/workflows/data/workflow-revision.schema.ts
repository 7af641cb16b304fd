import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';
import { StoredCrawlConfig, StoredCrawlConfigSchema } from '../../items/data/crawl-config.schema.js';

const { UUID } = MongooseSchema.Types;

/** The settings that a workflow had before a change, under the `rev` of that time (crawling §3.3). */
@Schema(storedIn('configs_revs'))
export class WorkflowRevision {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) cid!: string;
  @Prop({ type: String, default: '' }) schedule!: string | null;
  @Prop({ type: StoredCrawlConfigSchema, required: true }) config!: StoredCrawlConfig;
  @Prop({ type: UUID, default: null }) profileid!: string | null;
  @Prop({ type: String, default: null }) crawlerChannel!: string | null;
  @Prop({ type: String, default: null }) proxyId!: string | null;
  @Prop({ type: Number, default: 0 }) crawlTimeout!: number | null;
  @Prop({ type: Number, default: 0 }) maxCrawlSize!: number | null;
  @Prop({ type: Number, default: 1 }) scale!: number | null;
  @Prop({ type: Number, default: 2 }) browserWindows!: number | null;
  /** This field is ours; the reference loses the value. */
  @Prop({ type: String, default: null }) crawlFilenameTemplate!: string | null;
  /** This field is ours; the reference loses the value. */
  @Prop({ type: Boolean, default: false }) shareable!: boolean;
  @Prop({ type: Date, required: true }) modified!: Date;
  @Prop({ type: UUID, default: null }) modifiedBy!: string | null;
  @Prop({ type: Number, default: 0 }) rev!: number;
}

export const WorkflowRevisionSchema = SchemaFactory.createForClass(WorkflowRevision);
// Serves the revisions of a workflow.
WorkflowRevisionSchema.index({ cid: 'hashed' });
WorkflowRevisionSchema.index({ cid: 'hashed', rev: 1 });
