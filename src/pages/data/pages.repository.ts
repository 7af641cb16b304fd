import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { uuid } from '../../database/uuid-codec.js';
import type { Tx } from '../../database/unit-of-work.js';
import { Page, TITLE_WORDS, type NewPage, type StoredPageQa } from './page.schema.js';
import { titleIndexOf } from './title-words.facts.js';

export interface PageCounts {
  readonly pageCount: number;
  /** Distinct URLs. */
  readonly uniquePageCount: number;
  readonly filePageCount: number;
  readonly errorPageCount: number;
}

/** The new ids of a batch, and how many of them were files or errors. */
export interface InsertedPages {
  readonly inserted: number;
  readonly filePages: number;
  readonly errorPages: number;
}

interface BatchFailure {
  readonly writeErrors?: { code: number; index: number }[] | { code: number; index: number };
}

const DUPLICATE_KEY = 11000;

/**
 * From this many pages on, two commands are quicker than one. The database uses one core per command, and a page goes
 * into many indexes.
 */
const IN_TWO_FROM = 200;
const FILLED_AT_ONCE = 500;
/** More pages than an answer to a crawl is about. An address that is not among them is loaded once more. */
const MOST_LOADED = 5_000;

/** Absent and null values are not stored, but the three flags always are. */
function toStored(oid: string, page: NewPage, hasWords: boolean): Record<string, unknown> {
  const given = { ...page, isSeed: page.isSeed ?? false, isFile: page.isFile ?? false, isError: page.isError ?? false };
  const present = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  const notes = page.notes?.map((note) => ({ ...note, id: uuid(note.id), userid: uuid(note.userid) }));
  return {
    ...Object.fromEntries(present),
    ...(hasWords ? titleIndexOf(page.title) : {}),
    _id: uuid(page._id),
    oid: uuid(oid),
    ...(page.userid ? { userid: uuid(page.userid) } : {}),
    ...(notes ? { notes } : {}),
  };
}

/** Positions in the batch that were refused because the page exists already. @throws any other failure */
function duplicatesOf(error: unknown): Set<number> {
  const failures = (error as BatchFailure).writeErrors;
  const list = failures === undefined ? [] : Array.isArray(failures) ? failures : [failures];
  if (list.length === 0 || list.some(({ code }) => code !== DUPLICATE_KEY)) throw error as Error;
  return new Set(list.map(({ index }) => index));
}

/** Inserts, counts and deletes pages of items. */
@Injectable()
export class PagesRepository {
  private readonly pages: OrgScoped<Page>;

  constructor(@InjectModel(Page.name) private readonly model: Model<Page>) {
    this.pages = new OrgScoped(model);
  }

  /**
   * Inserts a batch (100 is usual, a few thousand the most). Stored pages are left as they are and not counted, so a
   * batch may be repeated. Do not call it in a transaction: a duplicate would abort it.
   * @param hasWords false leaves the words of titles to `fillTitleWords`; with them a page costs two thirds
   *  more to insert. Until then searches split the titles themselves
   */
  async insertBatch(oid: string, pages: readonly NewPage[], hasWords = true): Promise<InsertedPages> {
    if (pages.length === 0) return { inserted: 0, filePages: 0, errorPages: 0 };
    const middle = pages.length < IN_TWO_FROM ? pages.length : Math.ceil(pages.length / 2);
    const parts = await Promise.allSettled(
      [pages.slice(0, middle), pages.slice(middle)].map((part) => this.insertUnknown(oid, part, hasWords)),
    );
    // Both parts have ended, so a repeated batch meets no running insertion.
    const fresh = parts.flatMap((part) => {
      if (part.status === 'rejected') throw part.reason;
      return part.value;
    });
    return {
      inserted: fresh.length,
      filePages: fresh.filter((page) => page.isFile).length,
      errorPages: fresh.filter((page) => page.isError).length,
    };
  }

  /** @returns the pages that were not stored yet */
  private async insertUnknown(oid: string, pages: readonly NewPage[], hasWords: boolean): Promise<readonly NewPage[]> {
    if (pages.length === 0) return [];
    try {
      const stored = pages.map((page) => toStored(oid, page, hasWords));
      await this.model.collection.insertMany(stored as never[], { ordered: false });
      return pages;
    } catch (error) {
      const known = duplicatesOf(error);
      return pages.filter((_page, index) => !known.has(index));
    }
  }

  /**
   * Stores the words of titles for pages of these items without them: from a crawl with a backlog, the reference or an
   * earlier version. It works in batches and may be interrupted. It costs one index look per item when none is left.
   * @returns how many there were
   */
  async fillTitleWords(oid: string, crawlIds: readonly string[], signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (let found = FILLED_AT_ONCE; found === FILLED_AT_ONCE && !signal?.aborted; count += found)
      found = await this.fillBatch(oid, crawlIds);
    return count;
  }

  private async fillBatch(oid: string, crawlIds: readonly string[]): Promise<number> {
    const hint = { oid: 1, crawl_id: 1, ...TITLE_WORDS } as const;
    const unfilled = { crawl_id: { $in: [...crawlIds] }, titleTerms: null } as object;
    const found = await this.pages.find(oid, unfilled, { limit: FILLED_AT_ONCE, projection: { title: 1 }, hint });
    const writes = found.map(({ _id, title }) => ({
      // A page that is read again meanwhile has the words of another title.
      updateOne: { filter: { _id: uuid(_id), titleTerms: null }, update: { $set: titleIndexOf(title) } },
    }));
    if (writes.length > 0) await this.model.collection.bulkWrite(writes as never, { ordered: false });
    return found.length;
  }

  /** Recounts an item's pages. */
  async countsOf(oid: string, crawlId: string): Promise<PageCounts> {
    const [pageCount, filePageCount, errorPageCount, unique] = await Promise.all([
      this.pages.count(oid, { crawl_id: crawlId }),
      this.pages.count(oid, { crawl_id: crawlId, isFile: true }),
      this.pages.count(oid, { crawl_id: crawlId, isError: true }),
      this.countUniqueUrls(oid, [crawlId]),
    ]);
    return { pageCount, uniquePageCount: unique, filePageCount, errorPageCount };
  }

  /** Distinct URLs over several items. */
  async countUniqueUrls(oid: string, crawlIds: readonly string[]): Promise<number> {
    const [row] = await this.pages.aggregate<{ urls: number }>(oid, [
      { $match: { crawl_id: { $in: [...crawlIds] } } },
      { $group: { _id: '$url' } },
      { $count: 'urls' },
    ]);
    return row?.urls ?? 0;
  }

  async count(oid: string, crawlId: string): Promise<number> {
    return this.pages.count(oid, { crawl_id: crawlId });
  }

  /**
   * Which of the addresses the items list as pages that have loaded; those of tools that don't say how far they came
   * count. @returns each as `<item> <address>`
   */
  async loadedOf(oid: string, itemIds: readonly string[], urls: readonly string[]): Promise<Set<string>> {
    const filter = { crawl_id: { $in: [...itemIds] }, url: { $in: [...urls] }, loadState: { $nin: [0, 1] } };
    const options = { limit: MOST_LOADED, projection: { crawl_id: 1, url: 1 } } as const;
    const found = await this.pages.find(oid, filter, options);
    return new Set(found.map(({ crawl_id, url }) => `${crawl_id} ${url}`));
  }

  async findById(oid: string, pageId: string): Promise<Page | null> {
    return this.pages.findOne(oid, { _id: pageId });
  }

  async findInItem(oid: string, crawlId: string, pageId: string): Promise<Page | null> {
    return this.pages.findOne(oid, { _id: pageId, crawl_id: crawlId });
  }

  /** Streams an item's pages in no particular order. */
  streamOf(oid: string, crawlId: string): AsyncGenerator<Page> {
    return this.pages.stream(oid, { crawl_id: crawlId });
  }

  /** @returns the number of deleted pages */
  async deleteOf(oid: string, crawlIds: readonly string[]): Promise<number> {
    return this.pages.deleteMany(oid, { crawl_id: { $in: [...crawlIds] } });
  }

  /** Deletes pages of an item that name a file other than these. @param filenames without their folders */
  async deleteOfOtherFiles(oid: string, crawlId: string, filenames: readonly string[]): Promise<number> {
    return this.pages.deleteMany(oid, { crawl_id: crawlId, filename: { $nin: [...filenames] } });
  }

  /** Stores a QA run's values of a page. @returns false when the crawl has no such page */
  async setQa(oid: string, at: { crawlId: string; pageId: string; qaRunId: string }, qa: StoredPageQa, tx?: Tx) {
    const filter = { _id: at.pageId, crawl_id: at.crawlId };
    const done = await this.pages.updateOne(oid, filter, { $set: { [`qa.${at.qaRunId}`]: qa } }, { tx });
    return done.matched === 1;
  }

  /** Removes QA runs' values from all pages of the crawl. */
  async unsetQa(oid: string, crawlId: string, qaRunIds: readonly string[], tx?: Tx): Promise<void> {
    if (qaRunIds.length === 0) return;
    const unset = Object.fromEntries(qaRunIds.map((id) => [`qa.${id}`, '']));
    await this.pages.updateMany(oid, { crawl_id: crawlId }, { $unset: unset }, { tx });
  }
}
