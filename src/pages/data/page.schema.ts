import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { documentOf, mapOf, NUMBER } from '../../database/described.js';
import { storedLargely } from '../../database/schema-options.js';

/** A reviewer's remark on a page. */
@Schema({ _id: false, id: false })
export class StoredPageNote {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) id!: string;
  @Prop({ type: String, required: true }) text!: string;
  @Prop({ type: Date, required: true }) created!: Date;
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) userid!: string;
  @Prop({ type: String, required: true }) userName!: string;
}
export const StoredPageNoteSchema = SchemaFactory.createForClass(StoredPageNote);

/** The values of one QA run for a page; null where the run could not compare. */
export interface StoredPageQa {
  /** 0 to 1. */
  readonly screenshotMatch: number | null;
  /** 0 to 1. */
  readonly textMatch: number | null;
  /** Numbers of resources: `crawlGood`, `crawlBad`, `replayGood`, `replayBad`. */
  readonly resourceCounts: Record<string, number> | null;
}

const PAGE_QA = documentOf({ screenshotMatch: NUMBER, textMatch: NUMBER, resourceCounts: mapOf(NUMBER) });

/** A captured page of an item. Keys with `?` may be missing in documents; null is never inserted (crawling §3.7). */
@Schema(storedLargely('pages'))
export class Page {
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) _id!: string;
  @Prop({ type: MongooseSchema.Types.UUID, required: true }) oid!: string;
  /** Id of the item, a crawl or an upload. */
  @Prop({ type: String, required: true }) crawl_id!: string;
  /** Normalised address (`httpUrl()`). */
  @Prop({ type: String, required: true }) url!: string;
  @Prop({ type: String }) title?: string | null;
  /** The words of the title for the search (`titleIndexOf`). Pages of the reference do not have them. */
  @Prop({ type: [String], default: undefined }) titleTerms?: string[];
  @Prop({ type: Number }) titleLength?: number;
  @Prop({ type: Date }) ts?: Date | null;
  @Prop({ type: Number }) loadState?: number | null;
  @Prop({ type: Number }) status?: number | null;
  @Prop({ type: String }) mime?: string | null;
  /** Basename of the WACZ that holds the page. */
  @Prop({ type: String }) filename?: string | null;
  @Prop({ type: Number }) depth?: number | null;
  @Prop({ type: String }) favIconUrl?: string | null;
  /** Always inserted. Missing in pages that the reference inserted in bulk, where it means false. */
  @Prop({ type: Boolean }) isSeed?: boolean | null;
  @Prop({ type: Boolean }) isFile?: boolean | null;
  @Prop({ type: Boolean }) isError?: boolean | null;
  /** Id of the last reviewer. */
  @Prop({ type: MongooseSchema.Types.UUID }) userid?: string | null;
  @Prop({ type: Date }) modified?: Date | null;
  @Prop({ type: Boolean }) approved?: boolean | null;
  @Prop({ type: [StoredPageNoteSchema], default: undefined }) notes?: StoredPageNote[] | null;
  /** Results by QA run id. */
  @Prop({ type: MongooseSchema.Types.Mixed, holds: mapOf(PAGE_QA) }) qa?: Record<string, StoredPageQa> | null;
}

/**
 * The orders that lists offer. Each ends in the id, so that list pages neither repeat nor miss anything. The orders by
 * address and time also serve one address or time, seeds first. Notes are ordered by their ids, as in the reference.
 */
export const PAGE_ORDERS = [
  { isSeed: -1, ts: 1, _id: 1 },
  { url: 1, isSeed: -1, ts: 1, _id: 1 },
  { ts: 1, isSeed: -1, _id: 1 },
  { title: 1, _id: 1 },
  { approved: 1, _id: 1 },
  { 'notes.id': 1, _id: 1 },
  { status: 1, _id: 1 },
  { mime: 1, _id: 1 },
  { filename: 1, _id: 1 },
  { depth: 1, _id: 1 },
] as const satisfies readonly Record<string, 1 | -1>[];

/** Pages of a title's word, the best match first. The value null holds an item's pages without stored words. */
export const TITLE_WORDS = { titleTerms: 1, titleLength: 1, _id: 1 } as const;

/** A page to insert; the words of its title are derived. */
export type NewPage = Omit<Page, 'oid' | 'titleTerms' | 'titleLength'>;

export const PageSchema = SchemaFactory.createForClass(Page);
// The reference's indexes, so that its databases open without building others of the same keys.
PageSchema.index({ crawl_id: 'hashed' });
PageSchema.index({ crawl_id: 'hashed', isSeed: -1, ts: 1 });
PageSchema.index({ crawl_id: 'hashed', url: 1 });
// An index of the reference. It serves title searches while the words of very many titles are not stored.
PageSchema.index({ title: 'text' });
PageSchema.index({ oid: 1, crawl_id: 1, ...TITLE_WORDS });
// One index per order of the lists, seeds first by default. With the org in them, counts need no documents. An `$in`
// over a collection's items reads each item's part in order and merges, so no list sorts in memory.
for (const order of PAGE_ORDERS) PageSchema.index({ oid: 1, crawl_id: 1, ...order });
/** The reviewed pages of an org, the latest review first. */
export const REVIEWS = { oid: 1, modified: -1, _id: -1 } as const;
// Tells whether anything was reviewed since a moment; most pages never are.
PageSchema.index(REVIEWS, { partialFilterExpression: { modified: { $exists: true } } });
/**
 * Pages with notes, by the first one. MongoDB merges no scans by values in lists. A position makes a single value while
 * no list is empty, so pages without notes are excluded.
 */
export const NOTED = { oid: 1, crawl_id: 1, 'notes.0.id': 1, _id: 1 } as const;
/** The condition that a query needs to use that index. */
export const IS_NOTED = { 'notes.0': { $exists: true } };
PageSchema.index(NOTED, { partialFilterExpression: IS_NOTED });
/** Pages of files and failed pages. They are few and do not count in a QA run's scores. */
export const FILES = { oid: 1, crawl_id: 1, isFile: 1 } as const;
export const ERRORS = { oid: 1, crawl_id: 1, isError: 1 } as const;
PageSchema.index(FILES, { partialFilterExpression: { isFile: true } });
PageSchema.index(ERRORS, { partialFilterExpression: { isError: true } });
/** The values of all QA runs. A run's id is part of their paths, which no compound index takes, and leads to one item. */
export const QA_VALUES = { 'qa.$**': 1 } as const;
PageSchema.index(QA_VALUES);
