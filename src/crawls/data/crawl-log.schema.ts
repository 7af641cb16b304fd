import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

const { Mixed, UUID } = MongooseSchema.Types;

/** One line of a crawler. Contract: crawling §3.6. */
@Schema(storedIn('crawl_logs'))
export class CrawlLog {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: String, required: true }) crawlId!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  /** Null: a line of the crawl itself. */
  @Prop({ type: String, default: null }) qaRunId!: string | null;
  /** With milliseconds. */
  @Prop({ type: Date, required: true }) timestamp!: Date;
  @Prop({ type: String, required: true }) logLevel!: string;
  @Prop({ type: String, required: true }) context!: string;
  @Prop({ type: String, default: '' }) message!: string;
  @Prop({ type: Mixed, default: null }) details!: Record<string, unknown> | null;
  /** Its place in the run's list of errors, counted from 0 in the order of arrival; absent for a line of no error. */
  @Prop({ type: Number }) errorNo?: number;
  /** The line's place in the list of behavior lines, likewise. */
  @Prop({ type: Number }) behaviorNo?: number;
}

export const CrawlLogSchema = SchemaFactory.createForClass(CrawlLog);

// The reference's four, so that its databases open without building others of the same keys.
CrawlLogSchema.index({ crawlId: 'hashed', oid: 1, qaRunId: 1, timestamp: 1 });
CrawlLogSchema.index({ crawlId: 'hashed', oid: 1, qaRunId: 1, logLevel: 1 });
CrawlLogSchema.index({ crawlId: 'hashed', oid: 1, qaRunId: 1, context: 1 });
CrawlLogSchema.index({ crawlId: 'hashed', oid: 1, qaRunId: 1, message: 1 });

// Any page of a list as fast as the first, and their lengths: nothing is skipped or counted.
for (const number of ['errorNo', 'behaviorNo'])
  CrawlLogSchema.index(
    { crawlId: 1, qaRunId: 1, [number]: 1 },
    { unique: true, partialFilterExpression: { [number]: { $exists: true } } },
  );
