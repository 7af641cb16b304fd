import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { storedIn } from '../../database/schema-options.js';

/** A key pair of the installation. Retired ones keep their public half, by which old signatures are verified. */
@Schema(storedIn('signing_keys'))
export class SigningKey {
  /** SHA-256 of the public key's SPKI form, in hex. */
  @Prop({ type: String, required: true }) _id!: string;
  /** Base64 of the SPKI form. */
  @Prop({ type: String, required: true }) publicKey!: string;
  /** The private half in PKCS #8 form, sealed by the service's secret; null once the key is retired. */
  @Prop({ type: String, default: null }) sealed!: string | null;
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: Date, default: null }) retired!: Date | null;
  /** True for the key that signs; absent for the others. */
  @Prop({ type: Boolean, required: false }) current?: boolean;
}

export const SigningKeySchema = SchemaFactory.createForClass(SigningKey);
// Serves the key that signs, and lets only one of several processes create it.
SigningKeySchema.index({ current: 1 }, { unique: true, partialFilterExpression: { current: true } });
// Serves the list of keys, newest first.
SigningKeySchema.index({ created: -1 });
