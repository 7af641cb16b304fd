import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';

const WITHOUT_ID = { _id: false, id: false } as const;

/** What draws the codes of RFC 6238. */
@Schema(WITHOUT_ID)
export class StoredTotp {
  /** The secret, sealed by the service's own: a copy of the database draws no codes. */
  @Prop({ type: String, required: true }) sealed!: string;
  @Prop({ type: Date, required: true }) created!: Date;
  /** Number of the last half minute whose code was taken: it, and those before, are over. */
  @Prop({ type: Number, required: true }) lastStep!: number;
  @Prop({ type: Date, default: null }) lastUsed!: Date | null;
}

/** A passkey: a key pair of an authenticator, of which this is the public half. */
@Schema(WITHOUT_ID)
export class StoredPasskey {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) id!: string;
  /** The authenticator's name for it, base64url. */
  @Prop({ type: String, required: true }) credentialId!: string;
  /** COSE key, base64url. */
  @Prop({ type: String, required: true }) publicKey!: string;
  /** Uses as the authenticator counts them; 0 where it does not. */
  @Prop({ type: Number, required: true }) counter!: number;
  /** How browsers reach the authenticator, as they told. */
  @Prop({ type: [String], default: [] }) transports!: string[];
  /** What its owner calls it. */
  @Prop({ type: String, required: true }) name!: string;
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: Date, default: null }) lastUsed!: Date | null;
}

/** What an account has beside its password. It is missing where there is nothing. ADR 0056. */
@Schema(WITHOUT_ID)
export class SecondFactor {
  @Prop({ type: SchemaFactory.createForClass(StoredTotp), default: undefined }) totp?: StoredTotp;
  @Prop({ type: [SchemaFactory.createForClass(StoredPasskey)], default: undefined }) passkeys?: StoredPasskey[];
  /** SHA-256 of the recovery codes that are left, hex. */
  @Prop({ type: [String], required: true }) recovery!: string[];
}

export const SecondFactorSchema = SchemaFactory.createForClass(SecondFactor);
