import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { baseName } from '../common/text/base-name.js';
import { AppConfig } from '../config/app-config.js';
import type { CopiedEntry, IndexCopy } from '../drivers/index-copy.js';
import { ItemCollectionsRepository, type IndexedItem } from '../items/data/item-collections.repository.js';
import { ItemHoldsRepository } from '../items/data/item-holds.repository.js';
import { DedupeHashesRepository } from './data/dedupe-hashes.repository.js';
import { DedupeSourcesRepository, type IndexKey } from './data/dedupe-sources.repository.js';

/** Items whose bodies one copy has. The latest come first: a crawl holds as many, and no more. */
const MOST_ITEMS = 10_000;
/** Items that are looked at together. */
const ITEMS_AT_ONCE = 500;
/** Bodies that are written together. */
const BATCH = 1_000;

/** The sources of an item that are in the index whole: file by id. */
type FilesBySource = ReadonlyMap<string, string>;

/** A copy that is to be brought up to date, for whom, and until when. */
export interface Filling {
  readonly copy: IndexCopy;
  readonly key: IndexKey;
  readonly crawlId: string;
  readonly signal: AbortSignal;
}

/**
 * Compares the copy of a dedupe index with the index, and does what is missing. It may be cut short and repeated, also
 * by several processes at once: an item is either whole in the copy or begun anew.
 */
@Injectable()
export class IndexFilling {
  private readonly logger = new Logger('dedupe');

  constructor(
    private readonly hashes: DedupeHashesRepository,
    private readonly sources: DedupeSourcesRepository,
    private readonly membership: ItemCollectionsRepository,
    private readonly holds: ItemHoldsRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Items are held for the crawl before the copy names them, and looked at after: a deletion marks the item first and
   * looks at the holds after, so one of the two sees the other.
   * @param isWanted asked after the holds are written; false: nothing more is done
   */
  async bringUpToDate(filling: Filling, isWanted: () => Promise<boolean>): Promise<void> {
    const { copy, key, crawlId, signal } = filling;
    const live = await this.liveSources(key, crawlId);
    const known = await copy.sources();
    const fresh = [...live].flatMap(([itemId, files]) =>
      [...files.keys()].every((id) => known.has(id)) ? [] : itemId,
    );
    for (const some of inParts(fresh)) await this.holds.hold(key.oid, crawlId, some, this.clock.now());
    if (fresh.length > 0 && !(await isWanted())) return;
    const members = await this.members(key, live);
    const stale = [...known].filter(([id, itemId]) => !members.has(itemId) || !live.get(itemId)?.has(id));
    const anew = [...new Set([...fresh, ...stale.map(([, itemId]) => itemId)])];
    await copy.forget(anew);
    signal.throwIfAborted();
    const items = anew.flatMap((itemId) => members.get(itemId) ?? []);
    await this.fill(filling, items, live);
  }

  /** The sources that are imported whole, by item. */
  private async liveSources(key: IndexKey, crawlId: string): Promise<Map<string, FilesBySource>> {
    const found = new Map<string, Map<string, string>>();
    for await (const { id, itemId, filename, imported } of this.sources.all(key)) {
      if (!imported || itemId === crawlId) continue;
      const files = found.get(itemId) ?? new Map<string, string>();
      found.set(itemId, files.set(id, filename));
    }
    if (found.size <= MOST_ITEMS) return found;
    // Ids of sources begin with their time.
    const latest = (files: FilesBySource): string => [...files.keys()].sort().at(-1) ?? '';
    const sorted = [...found].sort(([, one], [, other]) => (latest(one) < latest(other) ? 1 : -1));
    return new Map(sorted.slice(0, MOST_ITEMS));
  }

  /** Those of the items that are there to stay. */
  private async members(
    { oid, collectionId }: IndexKey,
    live: ReadonlyMap<string, FilesBySource>,
  ): Promise<Map<string, IndexedItem>> {
    const members = new Map<string, IndexedItem>();
    for (const some of inParts([...live.keys()]))
      for (const item of await this.membership.indexedOf(oid, collectionId, some)) members.set(item._id, item);
    return members;
  }

  private async fill(
    { copy, key, signal }: Filling,
    items: readonly IndexedItem[],
    live: ReadonlyMap<string, FilesBySource>,
  ): Promise<void> {
    const places = new Map<string, { itemId: string; wacz: number }>();
    for (const { _id: itemId, files } of items) {
      for (const [sourceId, filename] of live.get(itemId) ?? []) {
        const wacz = files.findIndex((file) => file.filename === filename);
        if (wacz >= 0) places.set(sourceId, { itemId, wacz });
      }
      const waczs = files.map(({ filename, hash, size }) => ({ name: baseName(filename), hash, size }));
      await copy.begin(itemId, waczs);
      signal.throwIfAborted();
    }
    if (places.size === 0) return;
    const isWhole = await this.putAll({ copy, key, signal }, places);
    if (!isWhole)
      this.logger.warn({ event: 'dedupe_copy_full', ...key, digests: this.config.crawls.dedupeCopyDigests });
    await copy.complete(new Map([...places].map(([sourceId, { itemId }]) => [sourceId, itemId])));
  }

  /** @returns false when the copy has as many bodies as it may have, and some are left out */
  private async putAll(
    { copy, key, signal }: Pick<Filling, 'copy' | 'key' | 'signal'>,
    places: ReadonlyMap<string, { itemId: string; wacz: number }>,
  ): Promise<boolean> {
    let room = this.config.crawls.dedupeCopyDigests - (await copy.size());
    let batch: CopiedEntry[] = [];
    for await (const { digest, sourceId, url, date, size } of this.hashes.whole(key.collectionId, [...places.keys()])) {
      if (room-- <= 0) break;
      const place = places.get(sourceId);
      if (place) batch.push({ ...place, digest: digest.toString('hex'), url, date, size });
      if (batch.length < BATCH) continue;
      await copy.put(batch);
      batch = [];
      signal.throwIfAborted();
    }
    if (batch.length > 0) await copy.put(batch);
    return room >= 0;
  }
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += ITEMS_AT_ONCE) yield all.slice(start, start + ITEMS_AT_ONCE);
}
