import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import type { KeyScope } from '../../common/access/key-scopes.js';
import { storedIn } from '../../database/schema-options.js';

const { UUID } = MongooseSchema.Types;

/** An API key. What is stored opens nothing: of the key itself there is only a digest. */
@Schema(storedIn('access_keys'))
export class AccessKey {
  @Prop({ type: UUID, required: true }) _id!: string;
  /** The only org that the key opens; null: a personal key, for all orgs of its creator. */
  @Prop({ type: UUID, default: null }) oid!: string | null;
  /** Whose number of keys is bounded: the org, the user for personal keys, the service account for its own. */
  @Prop({ type: UUID, required: true }) holder!: string;
  /** Place among the holder's keys, from 0. It is unique, so that no more keys are made in parallel than may be. */
  @Prop({ type: Number, required: true }) slot!: number;
  /** The creator, or else the service account, whose rights bound those of the key at every request. It never changes. */
  @Prop({ type: UUID, required: true }) userid!: string;
  /** Whether `userid` is a service account's. */
  @Prop({ type: Boolean, default: undefined }) isService?: boolean;
  @Prop({ type: String, required: true }) userName!: string;
  @Prop({ type: String, required: true }) name!: string;
  /** SHA-256 of the key's text, hex. */
  @Prop({ type: String, required: true }) hash!: string;
  @Prop({ type: [String], required: true }) scopes!: KeyScope[];
  /** Null: until it is revoked. */
  @Prop({ type: Date, default: null }) expiresAt!: Date | null;
  /** Addresses and networks that may use the key; none: all may. */
  @Prop({ type: [String], default: [] }) addresses!: string[];
  /** The only workflows and collections that the key reaches, with their items; both none or missing: all of the org. */
  @Prop({ type: [UUID], default: undefined }) onlyWorkflows?: string[];
  @Prop({ type: [UUID], default: undefined }) onlyCollections?: string[];
  @Prop({ type: Date, required: true }) created!: Date;
  /** Written once a minute at most. */
  @Prop({ type: Date, default: null }) lastUsed!: Date | null;
}

export const AccessKeySchema = SchemaFactory.createForClass(AccessKey);
// Serves lists of an org's and of a user's own keys, and bounds their number.
AccessKeySchema.index({ holder: 1, slot: 1 }, { unique: true });
