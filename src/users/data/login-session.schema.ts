import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';

/**
 * A log-in that is going on, kept in the account that it is of. A token that names a session opens something only while
 * the account has the session, so what is missing here has ended. ADR 0052.
 */
@Schema({ _id: false, id: false })
export class LoginSession {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) sid!: string;
  @Prop({ type: Date, required: true }) created!: Date;
  /** Written once in some minutes at most. */
  @Prop({ type: Date, required: true }) lastUsed!: Date;
  /** When it ends by itself, however often its token was renewed. */
  @Prop({ type: Date, required: true }) until!: Date;
  /** Address at the last use; empty where it is unknown. */
  @Prop({ type: String, default: '' }) ip!: string;
  /** What logged in, such as `Firefox 131, Linux`; empty where it is unknown. */
  @Prop({ type: String, default: '' }) device!: string;
  /** `password`; `passkey`; `token`: by renewing a token that names no session; `oidc:` and the id of a provider. */
  @Prop({ type: String, required: true }) how!: string;
  /** The session at the provider where the person signed in; null where there is none, or it has no name. */
  @Prop({ type: String, default: null }) providerSid!: string | null;
  /**
   * What was proved beside the password: `totp`, `passkey`, `recovery`, or `provider`, which vouches for one. Missing or
   * null: nothing was.
   */
  @Prop({ type: String, default: undefined }) factor?: string | null;
}

export const LoginSessionSchema = SchemaFactory.createForClass(LoginSession);
