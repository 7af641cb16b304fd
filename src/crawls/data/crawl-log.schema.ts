import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedLargely } from '../../database/schema-options.js';

const { Mixed, UUID } = MongooseSchema.Types;

/** One line of a crawler. Contract: crawling §3.6. */
@Schema(storedLargely('crawl_logs'))
export class CrawlLog {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: String, required: true }) crawlId!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  /** The QA run that wrote the line; null: the crawl itself did. */
  @Prop({ type: String, default: null }) qaRunId!: string | null;
  /** Time of the line, with milliseconds. */
  @Prop({ type: Date, required: true }) timestamp!: Date;
  @Prop({ type: String, required: true }) logLevel!: string;
  @Prop({ type: String, required: true }) context!: string;
  @Prop({ type: String, default: '' }) message!: string;
  @Prop({ type: Mixed, default: null }) details!: Record<string, unknown> | null;
  /**
   * Place of the line in the run's list of errors, counted from 0 in the order of arrival. Absent for a line that is no
   * error.
   */
  @Prop({ type: Number }) errorNo?: number;
  /** Place of the line in the list of behavior lines, counted in the same way. */
  @Prop({ type: Number }) behaviorNo?: number;
}

export const CrawlLogSchema = SchemaFactory.createForClass(CrawlLog);

// These four indexes are the reference's. With them its databases open without building others of the same keys.
CrawlLogSchema.index({ crawlId: 'hashed', oid: 1, qaRunId: 1, timestamp: 1 });
CrawlLogSchema.index({ crawlId: 'hashed', oid: 1, qaRunId: 1, logLevel: 1 });
CrawlLogSchema.index({ crawlId: 'hashed', oid: 1, qaRunId: 1, context: 1 });
CrawlLogSchema.index({ crawlId: 'hashed', oid: 1, qaRunId: 1, message: 1 });

// With these indexes any page of a list is as fast as the first, and so are the lengths: nothing is skipped or counted.
for (const number of ['errorNo', 'behaviorNo'])
  CrawlLogSchema.index(
    { crawlId: 1, qaRunId: 1, [number]: 1 },
    { unique: true, partialFilterExpression: { [number]: { $exists: true } } },
  );
