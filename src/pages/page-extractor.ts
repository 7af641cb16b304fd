import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { derivedPageId } from '../common/ids/derived-id.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { baseName } from '../common/text/base-name.js';
import type { ObjectStore } from '../storage/object-store.js';
import { readPages, type WaczPage } from '../wacz/wacz.js';
import { openArchive } from '../wacz/object-byte-source.js';
import type { NewPage } from './data/page.schema.js';
import { PagesRepository } from './data/pages.repository.js';

/** Pages per batch. Contract: archive.md §3 flushes above 100; larger batches only cost memory. */
const BATCH = 100;

export interface ExtractSource {
  readonly oid: string;
  readonly itemId: string;
  /** False for uploads, which get new page ids. Crawls keep ids that are UUIDs. */
  readonly keepsIds: boolean;
}

/** Fills the page documents of an item from the page lists of its WACZs. Contract: archive.md §3. */
@Injectable()
export class PageExtractor {
  constructor(
    private readonly pages: PagesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Inserts the pages of one WACZ in batches. Ids are the same each time and stored pages are left alone. So a WACZ may
   * be read again, even by two processes of which one believes the other dead.
   * @param key of the WACZ in `store`
   * @throws UnreadableWacz, StorageError
   */
  async extract(source: ExtractSource, store: ObjectStore, key: string, signal?: AbortSignal): Promise<number> {
    let inserted = 0;
    for await (const batch of this.batches(source, { store, key }, signal))
      inserted += (await this.pages.insertBatch(source.oid, batch)).inserted;
    return inserted;
  }

  /** The pages of one WACZ in batches, ready to be stored. @throws UnreadableWacz, StorageError */
  async *batches(
    source: ExtractSource,
    { store, key }: { store: ObjectStore; key: string },
    signal?: AbortSignal,
  ): AsyncGenerator<NewPage[]> {
    const filename = baseName(key);
    const archive = await openArchive(store, key);
    const now = this.clock.timestamp();
    let batch: NewPage[] = [];
    let place = 0;
    for await (const page of readPages(archive, signal)) {
      signal?.throwIfAborted();
      batch.push(toNewPage(source, { ...page, ts: page.ts ?? now }, { filename, place }));
      place += 1;
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}

function toNewPage(
  { itemId, keepsIds }: ExtractSource,
  page: WaczPage,
  { filename, place }: { filename: string; place: number },
): NewPage {
  const status = page.status || (page.loadState ? 200 : page.status);
  const mime = page.mime ?? 'text/html';
  const isLoadedFile = page.loadState === 2 && !mime.includes('html');
  const isUntitledFile = page.loadState === 2 && page.title === null && status === 200;
  return {
    _id:
      (keepsIds && page.id !== null ? canonicalUuid(page.id) : null) ??
      derivedPageId(`${itemId}:${filename}:${String(place)}`),
    crawl_id: itemId,
    url: page.url,
    title: page.title,
    ts: page.ts,
    loadState: page.loadState,
    status,
    mime,
    filename,
    depth: page.depth,
    favIconUrl: page.favIconUrl,
    isSeed: page.isSeed,
    isFile: isLoadedFile || isUntitledFile,
    isError: page.loadState === 0,
  };
}
