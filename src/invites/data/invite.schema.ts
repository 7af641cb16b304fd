import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/** A pending invitation. The token itself is not stored (accounts §6.1). */
@Schema(storedIn('invites'))
export class Invite {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  @Prop({ type: Date, required: true }) created!: Date;
  /** SHA-256 of the canonical token, lower-case hex. */
  @Prop({ type: String, required: true }) tokenHash!: string;
  @Prop({ type: String }) inviterEmail?: string | null;
  @Prop({ type: Boolean, default: false }) fromSuperuser?: boolean | null;
  @Prop({ type: MongooseSchema.Types.UUID }) oid!: string;
  @Prop({ type: Number, required: true }) role!: number;
  /** Address in lower case. */
  @Prop({ type: String }) email!: string;
  /** Id of the invitee's account, if there was one. Then only that account may accept. */
  @Prop({ type: MongooseSchema.Types.UUID }) userid?: string | null;
  /** Addition: why its mail was not sent. */
  @Prop({ type: String }) mailError?: string | null;
}

export const InviteSchema = SchemaFactory.createForClass(Invite);
// Serves the list of an org's invites.
InviteSchema.index({ oid: 'hashed' });
// Serves finding an invite by its token.
InviteSchema.index({ tokenHash: 'hashed' });
