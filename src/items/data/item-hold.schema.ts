import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

const { UUID } = MongooseSchema.Types;

/**
 * An active crawl has been told that an item holds bodies which it may refer to. Until the crawl has ended, and is linked
 * with the items that it needs, this keeps the item's files. Written before the crawl is answered.
 */
@Schema(storedIn('item_holds'))
export class ItemHold {
  /** `<crawl id> <item id>` */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  /** The crawl that was answered. */
  @Prop({ type: String, required: true }) crawlId!: string;
  /** The item that is needed. */
  @Prop({ type: String, required: true }) itemId!: string;
  @Prop({ type: Date, required: true }) since!: Date;
}

export const ItemHoldSchema = SchemaFactory.createForClass(ItemHold);
ItemHoldSchema.index({ oid: 1, itemId: 1 });
ItemHoldSchema.index({ oid: 1, crawlId: 1 });
