import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { storedIn } from '../../database/schema-options.js';

/** The record of an org's receiver of one event: its failures and whether it is paused. */
@Schema(storedIn('webhook_endpoints'))
export class Endpoint {
  /** `<oid>:<event>` */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) oid!: string;
  @Prop({ type: String, required: true }) event!: string;
  @Prop({ type: Boolean, required: true, default: false }) paused!: boolean;
  /** First failure since the last success. */
  @Prop({ type: Date, default: null }) failingSince!: Date | null;
  @Prop({ type: Date, default: null }) lastSuccess!: Date | null;
}
export const EndpointSchema = SchemaFactory.createForClass(Endpoint);
EndpointSchema.index({ oid: 1 });

/** The key that signs an org's notifications. */
@Schema(storedIn('webhook_secrets'))
export class SigningSecret {
  /** Id of the org. */
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  /** Standard Webhooks form: `whsec_` and base64 of 32 random bytes. */
  @Prop({ type: String, required: true }) secret!: string;
  /** The replaced secret. It signs too until `previousValidUntil`, so that receivers can change over. */
  @Prop({ type: String, default: null }) previous!: string | null;
  @Prop({ type: Date, default: null }) previousValidUntil!: Date | null;
}
export const SigningSecretSchema = SchemaFactory.createForClass(SigningSecret);
