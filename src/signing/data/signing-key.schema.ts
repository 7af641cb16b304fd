import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

const { UUID } = MongooseSchema.Types;

/**
 * A key pair of the installation, or of one of its orgs. Retired ones keep their public half, by which old signatures are
 * verified.
 */
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
  /** The org whose archives it signs; absent: all that have no key of their own. */
  @Prop({ type: UUID, required: false }) oid?: string;
  /** Name of that org when the key was made: old signatures name it when the org has another one, or is gone. */
  @Prop({ type: String, required: false }) orgName?: string;
  /** The org, as long as the key signs for it. */
  @Prop({ type: UUID, required: false }) currentOf?: string;
  /** True for the installation's key that signs; absent for the others. */
  @Prop({ type: Boolean, required: false }) current?: boolean;
}

export const SigningKeySchema = SchemaFactory.createForClass(SigningKey);
// Serves the key that signs, and lets only one of several processes create it.
SigningKeySchema.index({ current: 1 }, { unique: true, partialFilterExpression: { current: true } });
// Serves the key that signs for an org, and lets only one of several processes create it.
SigningKeySchema.index({ currentOf: 1 }, { unique: true, partialFilterExpression: { currentOf: { $exists: true } } });
// Serves the keys of an org, newest first.
SigningKeySchema.index({ oid: 1, created: -1 });
// Serves the list of keys, newest first.
SigningKeySchema.index({ created: -1 });
