import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { IGNORE_CASE } from '../../database/org-scoped.js';
import { storedIn } from '../../database/schema-options.js';
import { LoginSessionSchema, type LoginSession } from './login-session.schema.js';
import { SecondFactorSchema, type SecondFactor } from './second-factor.schema.js';

/** An account. The driver's own `_id` is unused; `id` is what everything else refers to (accounts §15.2). */
@Schema(storedIn('users'))
export class User {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) id!: string;
  /** Address in lower case. */
  @Prop({ type: String, required: true }) email!: string;
  @Prop({ type: String, default: '' }) name!: string;
  @Prop({ type: Boolean, default: false }) is_superuser!: boolean;
  @Prop({ type: Boolean, default: false }) is_verified!: boolean;
  /** Password hash: bcrypt, modular crypt format. */
  @Prop({ type: String, required: true }) hashed_password!: string;
  /** Log-ins that are going on; missing before the first. `LoginSessionsRepository` alone reads and bounds them. */
  @Prop({ type: [LoginSessionSchema], default: undefined }) sessions?: LoginSession[];
  /** What is asked for beside the password; missing where nothing is. `SecondFactorsRepository` alone reads it. */
  @Prop({ type: SecondFactorSchema, default: undefined }) secondFactor?: SecondFactor;
}

export const UserSchema = SchemaFactory.createForClass(User);
// Serves look-ups by the id in tokens and in org member maps.
UserSchema.index({ id: 1 }, { unique: true });
UserSchema.index({ email: 1 }, { unique: true });
// Serves look-ups by address, which ignore case. Named as the reference names it: two indexes on one key need two names.
UserSchema.index({ email: 1 }, { name: 'case_insensitive_email_index', collation: { ...IGNORE_CASE } });
// Serves finding the superuser and listing everyone else.
UserSchema.index({ is_superuser: 1, _id: 1 });
// Lets no two accounts, and no account twice, have a passkey.
UserSchema.index(
  { 'secondFactor.passkeys.credentialId': 1 },
  { unique: true, partialFilterExpression: { 'secondFactor.passkeys.credentialId': { $exists: true } } },
);
