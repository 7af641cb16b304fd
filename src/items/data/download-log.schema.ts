import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

const { UUID } = MongooseSchema.Types;

@Schema({ _id: false })
export class LoggedDownload {
  @Prop({ type: Date, required: true }) at!: Date;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: String, required: true }) userName!: string;
  /** Name under which it was sent. */
  @Prop({ type: String, required: true }) filename!: string;
}
const LoggedDownloadSchema = SchemaFactory.createForClass(LoggedDownload);

/** Who downloaded an item: the number and the last ones. */
@Schema(storedIn('item_downloads'))
export class DownloadLog {
  /** Id of the item. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: Number, default: 0 }) count!: number;
  /** The oldest first. */
  @Prop({ type: [LoggedDownloadSchema], default: [] }) last!: LoggedDownload[];
}
export const DownloadLogSchema = SchemaFactory.createForClass(DownloadLog);
