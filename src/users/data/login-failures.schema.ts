import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { IGNORE_CASE } from '../../database/org-scoped.js';
import { storedIn } from '../../database/schema-options.js';

/** Seconds after the last attempt when failures are forgotten (accounts §3). */
export const LOGIN_MEMORY_SECONDS = 3600;

/** Longest time for checking a password. After it the attempt's process must have died. */
export const ATTEMPT_SECONDS = 60;

/** Failed logins of one address, known or not. Contract: accounts §3. */
@Schema(storedIn('logins'))
export class LoginFailures {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  /** Address as spelled in the first failed attempt. */
  @Prop({ type: String, required: true }) email!: string;
  /** Time of the last attempt. */
  @Prop({ type: Date, required: true }) attempted!: Date;
  /** Number of failed attempts and of attempts while locked. */
  @Prop({ type: Number, required: true }) count!: number;
  /** Addition: attempts whose password is being checked, with the time when they count as lost. */
  @Prop({ type: [{ id: String, until: Date }], _id: false }) checking!: { id: string; until: Date }[];
}

export const LoginFailuresSchema = SchemaFactory.createForClass(LoginFailures);
LoginFailuresSchema.index({ attempted: 1 }, { expireAfterSeconds: LOGIN_MEMORY_SECONDS });
// One counter per address, however spelled. It makes the upserts of parallel attempts meet in one document.
LoginFailuresSchema.index({ email: 1 }, { unique: true, collation: { ...IGNORE_CASE } });

/** Wrong codes of second factors, by the id of the account in `email`. No password, right or new, clears them. ADR 0056. */
@Schema(storedIn('factor_failures'))
export class FactorFailures extends LoginFailures {}

export const FactorFailuresSchema = SchemaFactory.createForClass(FactorFailures);
FactorFailuresSchema.index({ attempted: 1 }, { expireAfterSeconds: LOGIN_MEMORY_SECONDS });
FactorFailuresSchema.index({ email: 1 }, { unique: true, collation: { ...IGNORE_CASE } });

/** Number of failed logins from one client address in the hour since the first of them. */
@Schema(storedIn('login_clients'))
export class ClientFailures {
  /** The client's IP address as text. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: Date, required: true }) since!: Date;
  @Prop({ type: Number, required: true }) count!: number;
}

export const ClientFailuresSchema = SchemaFactory.createForClass(ClientFailures);
ClientFailuresSchema.index({ since: 1 }, { expireAfterSeconds: LOGIN_MEMORY_SECONDS });
