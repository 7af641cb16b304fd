import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

const { UUID } = MongooseSchema.Types;

/** A membership that the mapping gave, or whose role it raised. */
@Schema({ _id: false, versionKey: false })
export class GrantedRole {
  @Prop({ type: UUID, required: true }) oid!: string;
  @Prop({ type: Number, required: true }) role!: number;
  /** The role that somebody had given before; null: none. */
  @Prop({ type: Number, default: null }) before!: number | null;
}

/** Who a person is at a provider, and which account that opens. */
@Schema(storedIn('identities'))
export class Identity {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: String, required: true }) issuer!: string;
  /** The issuer's name for the person, which is never given to another. */
  @Prop({ type: String, required: true }) subject!: string;
  @Prop({ type: UUID, required: true }) userid!: string;
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: Date, required: true }) lastSeen!: Date;
  @Prop({ type: [SchemaFactory.createForClass(GrantedRole)], default: [] }) granted!: GrantedRole[];
  /** Whether the account is a superuser's because the mapping says so. */
  @Prop({ type: Boolean, default: false }) grantedSuperuser!: boolean;
}

export const IdentitySchema = SchemaFactory.createForClass(Identity);
// Finds the account of a sign-in, and lets parallel first ones make one account.
IdentitySchema.index({ issuer: 1, subject: 1 }, { unique: true });
// An account has one identity of an issuer: an address that passed to another person doesn't open it.
IdentitySchema.index({ userid: 1, issuer: 1 }, { unique: true });
