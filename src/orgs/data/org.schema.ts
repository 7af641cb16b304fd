import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { documentOf, listOf, mapOf, MOMENT, NUMBER, TEXT, YES_OR_NO } from '../../database/described.js';
import { IGNORE_CASE_AND_ACCENTS } from '../../database/org-scoped.js';
import { storedIn } from '../../database/schema-options.js';

const { Mixed, UUID } = MongooseSchema.Types;
const WITHOUT_ID = { _id: false, versionKey: false as const, minimize: false };

/** Quotas in bytes, minutes and counts. 0 means unlimited, or none (accounts §8). */
@Schema(WITHOUT_ID)
export class Quotas {
  /** Bytes. */
  @Prop({ type: Number, default: 0 }) storageQuota!: number;
  /** Minutes per calendar month (UTC). */
  @Prop({ type: Number, default: 0 }) maxExecMinutesPerMonth!: number;
  @Prop({ type: Number, default: 0 }) maxConcurrentCrawls!: number;
  @Prop({ type: Number, default: 0 }) maxPagesPerCrawl!: number;
  /** Minutes granted so far. What is left of them is `extraExecSecondsAvailable`. */
  @Prop({ type: Number, default: 0 }) extraExecMinutes!: number;
  @Prop({ type: Number, default: 0 }) giftedExecMinutes!: number;
}
export const QUOTA_NAMES = [
  'storageQuota',
  'maxExecMinutesPerMonth',
  'maxConcurrentCrawls',
  'maxPagesPerCrawl',
  'extraExecMinutes',
  'giftedExecMinutes',
] as const satisfies readonly (keyof Quotas)[];

export interface QuotaUpdate {
  readonly modified: Date;
  readonly update: Quotas;
  /** Id of the subscription event that caused the change. */
  readonly subEventId: string | null;
}

/** Names one storage of the deployment, or of the org when `custom` is true. */
export interface OrgStorageRef {
  readonly name: string;
  readonly custom: boolean;
}

/** An org's own storage, as `customStorages.<name>` stores it (archive §2.1). */
export interface CustomStorage {
  readonly type: 's3';
  /** The address with bucket and prefix, ending in `/`. */
  readonly endpoint_url: string;
  readonly endpoint_no_bucket_url: string;
  readonly access_key: string;
  readonly secret_key: string;
  readonly access_endpoint_url: string;
  readonly access_addressing_style: 'virtual' | 'path';
  readonly region: string;
}

@Schema(WITHOUT_ID)
export class OrgSubscription {
  @Prop({ type: String }) subId!: string;
  @Prop({ type: String }) status!: string;
  @Prop({ type: String }) planId!: string;
  @Prop({ type: Date }) futureCancelDate?: Date | null;
  @Prop({ type: Boolean }) readOnlyOnCancel?: boolean;
}

/** Suggestions for new workflows. Once any was set, every key is present (accounts §7.6). */
@Schema(WITHOUT_ID)
export class CrawlingDefaults {
  @Prop({ type: Number }) crawlTimeout?: number | null;
  @Prop({ type: Number }) maxCrawlSize?: number | null;
  @Prop({ type: Number }) pageLoadTimeout?: number | null;
  @Prop({ type: Number }) postLoadDelay?: number | null;
  @Prop({ type: Number }) behaviorTimeout?: number | null;
  @Prop({ type: Number }) pageExtraDelay?: number | null;
  @Prop({ type: Boolean }) blockAds?: boolean | null;
  @Prop({ type: UUID }) profileid?: string | null;
  @Prop({ type: String }) crawlerChannel?: string | null;
  @Prop({ type: String }) proxyId?: string | null;
  @Prop({ type: String }) lang?: string | null;
  @Prop({ type: String }) userAgent?: string | null;
  @Prop({ type: [String], default: undefined }) exclude?: string[] | null;
  @Prop({ type: [String], default: undefined }) customBehaviors?: string[];
  @Prop({ type: UUID }) dedupeCollId?: string | null;
}

/** A URL or null for each webhook event. */
export type WebhookUrls = Record<string, string | null>;

/** Seconds per calendar month (UTC), by the key `YYYY-MM`. */
export type SecondsByMonth = Record<string, number>;

/** Bytes stored at the last change of each calendar month (UTC), by the key `YYYY-MM`. */
export type BytesByMonth = Record<string, number>;

const STORAGE_REF = documentOf({ name: TEXT, custom: YES_OR_NO }, ['name']);
const CUSTOM_STORAGE_FIELDS = [
  'type',
  'endpoint_url',
  'endpoint_no_bucket_url',
  'access_key',
  'secret_key',
  'access_endpoint_url',
  'access_addressing_style',
  'region',
];
const CUSTOM_STORAGE = documentOf(Object.fromEntries(CUSTOM_STORAGE_FIELDS.map((field) => [field, TEXT])), [
  'endpoint_url',
  'access_key',
  'secret_key',
]);
const QUOTA_UPDATE = documentOf({ modified: MOMENT, update: mapOf(NUMBER), subEventId: TEXT }, ['modified', 'update']);

/** An org. A field that an older document lacks, or has as null, counts as its default (accounts §7.2, §15.2). */
@Schema(storedIn('organizations'))
export class Org {
  @Prop({ type: UUID, required: true }) _id!: string;
  @Prop({ type: String, required: true }) name!: string;
  @Prop({ type: String, required: true }) slug!: string;
  /** Role by user id: 10 viewer, 20 crawler, 40 owner. */
  @Prop({ type: Mixed, default: {}, holds: mapOf(NUMBER) }) users?: Record<string, number> | null;
  @Prop({ type: Date }) created?: Date | null;
  @Prop({ type: Boolean, default: false }) default?: boolean | null;
  @Prop({ type: Mixed, required: true, holds: STORAGE_REF }) storage!: OrgStorageRef;
  /** When the list is empty, the deployment's default replicas apply. */
  @Prop({ type: Mixed, default: [], holds: listOf(STORAGE_REF) }) storageReplicas?: OrgStorageRef[] | null;
  @Prop({ type: Mixed, default: {}, holds: mapOf(CUSTOM_STORAGE) })
  customStorages?: Record<string, CustomStorage> | null;

  /** Bytes: the sum of the six counters below. */
  @Prop({ type: Number, default: 0 }) bytesStored?: number | null;
  @Prop({ type: Number, default: 0 }) bytesStoredCrawls?: number | null;
  @Prop({ type: Number, default: 0 }) bytesStoredUploads?: number | null;
  @Prop({ type: Number, default: 0 }) bytesStoredProfiles?: number | null;
  @Prop({ type: Number, default: 0 }) bytesStoredSeedFiles?: number | null;
  @Prop({ type: Number, default: 0 }) bytesStoredThumbnails?: number | null;
  @Prop({ type: Number, default: 0 }) bytesStoredDedupeIndexes?: number | null;
  /** What `bytesStored` was; a month without a change has no entry. This field is ours. */
  @Prop({ type: Mixed, holds: mapOf(NUMBER) }) bytesStoredByMonth?: BytesByMonth | null;

  /** Wall time of finished crawls. */
  @Prop({ type: Mixed, default: {}, holds: mapOf(NUMBER) }) usage?: SecondsByMonth | null;
  /** Time of crawler instances. */
  @Prop({ type: Mixed, default: {}, holds: mapOf(NUMBER) }) crawlExecSeconds?: SecondsByMonth | null;
  @Prop({ type: Mixed, default: {}, holds: mapOf(NUMBER) }) qaUsage?: SecondsByMonth | null;
  @Prop({ type: Mixed, default: {}, holds: mapOf(NUMBER) }) qaCrawlExecSeconds?: SecondsByMonth | null;
  /**
   * The part of `crawlExecSeconds` that the monthly quota paid for. The two fields below hold the parts of extra and
   * gifted time.
   */
  @Prop({ type: Mixed, default: {}, holds: mapOf(NUMBER) }) monthlyExecSeconds?: SecondsByMonth | null;
  @Prop({ type: Mixed, default: {}, holds: mapOf(NUMBER) }) extraExecSeconds?: SecondsByMonth | null;
  @Prop({ type: Mixed, default: {}, holds: mapOf(NUMBER) }) giftedExecSeconds?: SecondsByMonth | null;
  @Prop({ type: Number, default: 0 }) extraExecSecondsAvailable?: number | null;
  @Prop({ type: Number, default: 0 }) giftedExecSecondsAvailable?: number | null;

  @Prop({ type: SchemaFactory.createForClass(Quotas), default: () => ({}) }) quotas?: Partial<Quotas> | null;
  @Prop({ type: Mixed, default: [], holds: listOf(QUOTA_UPDATE) }) quotaUpdates?: QuotaUpdate[] | null;
  @Prop({ type: Mixed, default: {}, holds: mapOf(TEXT) }) webhookUrls?: WebhookUrls | null;
  /** Base URL by which the owner of the webhooks reaches the service. */
  @Prop({ type: String }) origin?: string | null;

  @Prop({ type: Boolean, default: false }) readOnly?: boolean | null;
  @Prop({ type: String }) readOnlyReason?: string | null;
  @Prop({ type: SchemaFactory.createForClass(OrgSubscription) }) subscription?: OrgSubscription | null;
  @Prop({ type: Boolean, default: false }) allowSharedProxies?: boolean | null;
  @Prop({ type: [String], default: [] }) allowedProxies?: string[] | null;
  @Prop({ type: SchemaFactory.createForClass(CrawlingDefaults) }) crawlingDefaults?: CrawlingDefaults | null;
  @Prop({ type: Date }) lastCrawlFinished?: Date | null;
  @Prop({ type: Boolean, default: false }) enablePublicProfile?: boolean | null;
  @Prop({ type: String }) publicDescription?: string | null;
  @Prop({ type: String }) publicUrl?: string | null;
  @Prop({ type: Mixed, default: {}, holds: documentOf({ dedupeEnabled: YES_OR_NO }) })
  featureFlags?: { dedupeEnabled?: boolean | null } | null;
  @Prop({ type: String }) note?: string | null;
  /** Whether members need a second factor, ADR 0056. This field is ours. */
  @Prop({ type: Boolean }) secondFactorDemanded?: boolean | null;
  /** Download URLs signed before this moment are not handed out again. This field is ours. */
  @Prop({ type: Date }) presignedClearedAt?: Date | null;
  /**
   * The name by which lists are ordered (`nameOrder`). The reference's documents lack it until the service fills it at
   * startup. This field is ours.
   */
  @Prop({ type: String }) nameLower?: string;
}

/** Turns ASCII letters to lower case, as the database's `$toLower` does. */
export const nameOrder = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

export const OrgSchema = SchemaFactory.createForClass(Org);
OrgSchema.index({ name: 1 }, { unique: true, collation: { ...IGNORE_CASE_AND_ACCENTS } });
OrgSchema.index({ slug: 1 }, { unique: true, collation: { ...IGNORE_CASE_AND_ACCENTS } });
OrgSchema.index({ 'subscription.subId': 1 }, { unique: true, sparse: true });
// Serves the public profile, which is looked up by the exact slug.
OrgSchema.index({ slug: 1 }, { name: 'slug_exact' });
// Serves lists of all orgs by name, without reading documents that the page skips.
OrgSchema.index({ nameLower: 1, _id: 1 });
// Serves the one default org.
OrgSchema.index({ default: 1 }, { partialFilterExpression: { default: true } });
// Serves "the orgs of a user" and "users with no other org". The role map is keyed by user.
OrgSchema.index({ 'users.$**': 1 });
