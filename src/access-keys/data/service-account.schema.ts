import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

const { UUID } = MongooseSchema.Types;

/** A program that works in an org as a member does. It has keys and no password, and belongs to the org. ADR 0057. */
@Schema(storedIn('service_accounts'))
export class ServiceAccount {
  /** Stands wherever the id of a user does. */
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: String, required: true }) name!: string;
  /** 10, 20 or 40, as of members. */
  @Prop({ type: Number, required: true }) role!: number;
  /** Whether its keys open nothing for now. */
  @Prop({ type: Boolean, default: false }) disabled!: boolean;
  /** Place among the org's service accounts, from 0. It is unique, so that no more are made in parallel than may be. */
  @Prop({ type: Number, required: true }) slot!: number;
  @Prop({ type: Date, required: true }) created!: Date;
  /** Who made it; it does not end with them. */
  @Prop({ type: UUID, required: true }) createdBy!: string;
  @Prop({ type: String, required: true }) createdByName!: string;
  /** When a key was made last: who deletes the account meanwhile, and who makes the key, come one after the other. */
  @Prop({ type: Date, default: null }) keyMade!: Date | null;
}

export const ServiceAccountSchema = SchemaFactory.createForClass(ServiceAccount);
// Serves lists of an org's service accounts, and bounds their number.
ServiceAccountSchema.index({ oid: 1, slot: 1 }, { unique: true });
