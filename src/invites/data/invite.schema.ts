import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/** A pending invitation. The token itself is not stored (accounts §6.1). */
@Schema(storedIn('invites'))
export class Invite {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  @Prop({ type: Date, required: true }) created!: Date;
  /** Lower-case hex SHA-256 of the canonical token. */
  @Prop({ type: String, required: true }) tokenHash!: string;
  @Prop({ type: String }) inviterEmail?: string | null;
  @Prop({ type: Boolean, default: false }) fromSuperuser?: boolean | null;
  @Prop({ type: MongooseSchema.Types.UUID }) oid!: string;
  @Prop({ type: Number, required: true }) role!: number;
  /** Lower case. */
  @Prop({ type: String }) email!: string;
  /** Set when the invitee had an account; then only that account may accept. */
  @Prop({ type: MongooseSchema.Types.UUID }) userid?: string | null;
  /** Ours: why its mail did not go out. */
  @Prop({ type: String }) mailError?: string | null;
}

export const InviteSchema = SchemaFactory.createForClass(Invite);
// Serves the list of an org's invites.
InviteSchema.index({ oid: 'hashed' });
// Serves finding an invite by its token.
InviteSchema.index({ tokenHash: 'hashed' });
