import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { documentOf, listOf, TEXT, wordOf, YES_OR_NO, NUMBER, eitherOf } from '../../database/described.js';
import { storedLargely } from '../../database/schema-options.js';

const { Mixed, ObjectId, UUID } = MongooseSchema.Types;

/** Who acts: a person, a service account, the automation client by its secret, the command line, the service itself, or nobody known. */
export const ACTOR_KINDS = ['user', 'service', 'secret', 'cli', 'system', 'nobody'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/**
 * How it went. `begun` is written before the change and never stands long: what its process could not settle becomes
 * `unknown`.
 */
export const OUTCOMES = ['begun', 'done', 'refused', 'failed', 'unknown'] as const;
export type AuditOutcome = (typeof OUTCOMES)[number];

/** A setting as it was and as it is. Values are of settings alone, never secrets or what people wrote. */
export interface ChangedSetting {
  readonly field: string;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

const PLAIN = eitherOf(TEXT, NUMBER, YES_OR_NO);
const CHANGED = listOf(documentOf({ field: TEXT, before: PLAIN, after: PLAIN }, ['field']));

/**
 * One line of the audit log: who did what, on what, from where, when and how it went. It is written before or with the
 * change, settled once, and never changed after that. It names people by id alone. Issue 20, part 5; ADR 53.
 */
@Schema(storedLargely('audit_events'))
export class AuditEvent {
  @Prop({ type: ObjectId, required: true }) _id!: string;
  /** The org concerned; null for what concerns accounts or the whole installation. */
  @Prop({ type: UUID, default: null }) oid!: string | null;
  @Prop({ type: Date, required: true }) at!: Date;
  @Prop({ type: String, required: true, holds: wordOf(...ACTOR_KINDS) }) actorKind!: ActorKind;
  /** Id of the user or service account; null for the others. */
  @Prop({ type: UUID, default: null }) actor!: string | null;
  /** Id of the API key that opened the request. */
  @Prop({ type: UUID, default: null }) key!: string | null;
  /** The operation's id in the OpenAPI document, or `system.<what>`. */
  @Prop({ type: String, required: true }) action!: string;
  /** The main thing acted on, as the route names it: its parameter without `Id`, such as `crawl`; null where there is none. */
  @Prop({ type: String, default: null }) targetKind!: string | null;
  @Prop({ type: String, default: null }) target!: string | null;
  /** Names of the top-level fields that the request's body had, or the settings that changed. */
  @Prop({ type: [String], default: [] }) fields!: string[];
  @Prop({ type: [Mixed], default: undefined, holds: CHANGED }) changed?: ChangedSetting[];
  /** The client's address as the trusted proxies tell it; null for what no request did. */
  @Prop({ type: String, default: null }) address!: string | null;
  @Prop({ type: String, default: null }) requestId!: string | null;
  @Prop({ type: String, required: true, holds: wordOf(...OUTCOMES) }) outcome!: AuditOutcome;
  /** The HTTP status of the answer; null while it is not known. */
  @Prop({ type: Number, default: null }) status!: number | null;
  /** There while the outcome is `begun`: until then its process says that it goes on. */
  @Prop({ type: Date, default: undefined }) heldUntil?: Date;
  /** `u:<actor>`, `k:<key>`, `a:<action>`, `t:<target>`: what lists are narrowed by, through one index. */
  @Prop({ type: [String], required: true }) marks!: string[];
  /** There until it has been sent to the receivers that settings name; missing when there are none. */
  @Prop({ type: Date, default: undefined }) sendAt?: Date;
  /** The receivers that have it, until all have. */
  @Prop({ type: [String], default: undefined }) sentTo?: string[];
}

export const AuditEventSchema = SchemaFactory.createForClass(AuditEvent);
// Serves an org's list in its order, the closing of its days, and the cut at the end of retention.
AuditEventSchema.index({ oid: 1, at: 1, _id: 1 });
// Serves an org's list narrowed to a user, key, action or target.
AuditEventSchema.index({ oid: 1, marks: 1, at: 1, _id: 1 });
// Serves superusers' list of all orgs.
AuditEventSchema.index({ at: 1, _id: 1 });
// Serves the sending of what receivers have not got yet.
AuditEventSchema.index({ sendAt: 1 }, { partialFilterExpression: { sendAt: { $exists: true } } });
// Finds what was begun and is neither settled nor held any more. Entries leave it when they are settled.
AuditEventSchema.index({ heldUntil: 1 }, { partialFilterExpression: { heldUntil: { $exists: true } } });
