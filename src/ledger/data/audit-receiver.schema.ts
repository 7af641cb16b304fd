import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { storedIn } from '../../database/schema-options.js';

/** What is known of sending to one receiver that settings name, and who sends. */
@Schema(storedIn('audit_receivers'))
export class AuditReceiver {
  /** `syslog` or `webhook`. */
  @Prop({ type: String, required: true }) _id!: string;
  /** Entries were sent that were settled up to then. */
  @Prop({ type: Date, default: null }) sentUpTo!: Date | null;
  /** Failed tries in a row. */
  @Prop({ type: Number, default: 0 }) failures!: number;
  @Prop({ type: Date, required: true }) dueAt!: Date;
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
  @Prop({ type: String, default: null }) holder!: string | null;
}

export const AuditReceiverSchema = SchemaFactory.createForClass(AuditReceiver);
// Serves the claim of what is due.
AuditReceiverSchema.index({ dueAt: 1, leaseUntil: 1 });
