import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { baseName } from '../common/text/base-name.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Original, OriginalsQuestion } from '../drivers/crawl-driver.types.js';
import { ItemHoldsRepository } from '../items/data/item-holds.repository.js';
import { isActive, isSuccessful } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { KeptItems } from '../items/deletion/kept-items.js';
import { sha256Of } from './capture-line.js';
import { DIGEST_BYTES, DedupeHashesRepository, type IndexEntry } from './data/dedupe-hashes.repository.js';
import { DedupeSourcesRepository, type SourceOf } from './data/dedupe-sources.repository.js';

/** Crawls whose holds this process remembers. One that is forgotten is held again, which changes nothing. */
const MAX_REMEMBERED = 200;

/** The fields of items that an answer goes by. */
const NEEDED = {
  state: 1,
  deleted: 1,
  collectionIds: 1,
  'files.filename': 1,
  'files.hash': 1,
  'files.size': 1,
} as const;

const nameOf = (digest: Buffer): string => digest.toString('latin1', 0, DIGEST_BYTES);

/** Milliseconds are shown where the index has them. Older tools write whole seconds. */
const isoOf = (date: Date): string => date.toISOString().replace('.000Z', 'Z');

/** Finds which bodies the collection of a crawl has already. Contract: crawling §13. */
@Injectable()
export class OriginalsFinder {
  /** Ids of items that a crawl is known to hold. */
  private readonly held = new Map<string, Set<string>>();

  constructor(
    private readonly hashes: DedupeHashesRepository,
    private readonly sources: DedupeSourcesRepository,
    private readonly items: ItemsRepository,
    private readonly holds: ItemHoldsRepository,
    private readonly kept: KeptItems,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Finds originals in items that are members of the collection and will stay replayable for the crawl. Each is held
   * before it is looked at: a deletion marks the item first and looks at the holds after, so one of the two sees the
   * other.
   */
  async find({ oid, crawlId, collectionId, digests }: OriginalsQuestion): Promise<Original[]> {
    const asked = new Map<string, string>();
    for (const digest of digests) {
      const bytes = sha256Of(digest);
      if (bytes) asked.set(nameOf(bytes), digest);
    }
    const keys = [...asked.keys()].map((name) => Buffer.from(name, 'latin1'));
    const entries = await this.hashes.find(collectionId, keys);
    const sourceIds = [...new Set(entries.map(({ sourceId }) => sourceId))];
    const sources = await this.sources.live({ oid, collectionId }, sourceIds);
    const itemIds = [...new Set([...sources.values()].map(({ itemId }) => itemId))];
    if (itemIds.length === 0) return [];
    const members = await this.heldMembers({ oid, crawlId, collectionId }, itemIds);
    return entries.flatMap((entry) => {
      const digest = asked.get(nameOf(entry.digest));
      const source = sources.get(entry.sourceId);
      const original = digest && source ? originalOf(digest, entry, source, members) : null;
      return original ? [original] : [];
    });
  }

  /** Holds the items for the crawl. @returns those that are there to stay; none if the crawl itself has ended */
  private async heldMembers(
    { oid, crawlId, collectionId }: Pick<OriginalsQuestion, 'oid' | 'crawlId' | 'collectionId'>,
    itemIds: readonly string[],
  ): Promise<Map<string, Item>> {
    const held = this.remembered(crawlId);
    const fresh = itemIds.filter((itemId) => !held.has(itemId));
    await this.holds.hold(oid, crawlId, fresh, this.clock.now());
    const ids = [crawlId, ...itemIds];
    const found = await this.items.scoped.find(oid, { _id: { $in: ids } }, { limit: ids.length, projection: NEEDED });
    const crawl = found.find(({ _id }) => _id === crawlId);
    if (!crawl || !isActive(crawl.state)) {
      // The crawl's end releases its holds, but may have done so before these were written.
      await this.work.run((tx) => this.kept.letGo(oid, crawlId, tx));
      this.held.delete(crawlId);
      return new Map();
    }
    for (const itemId of fresh) held.add(itemId);
    const isMember = ({ _id, state, deleted, collectionIds }: Item): boolean =>
      _id !== crawlId && !deleted && isSuccessful(state) && (collectionIds ?? []).includes(collectionId);
    return new Map(found.filter(isMember).map((item) => [item._id, item]));
  }

  private remembered(crawlId: string): Set<string> {
    const known = this.held.get(crawlId) ?? new Set<string>();
    this.held.delete(crawlId);
    this.held.set(crawlId, known);
    const [oldest] = this.held.keys();
    if (oldest !== undefined && this.held.size > MAX_REMEMBERED) this.held.delete(oldest);
    return known;
  }
}

function originalOf(
  digest: string,
  { url, date, size }: IndexEntry,
  { itemId, filename }: SourceOf,
  members: ReadonlyMap<string, Item>,
): Original | null {
  const file = members.get(itemId)?.files.find((one) => one.filename === filename);
  if (!file) return null;
  const wacz = { name: baseName(filename), hash: file.hash, size: file.size };
  return { digest, url, date: isoOf(date), size, itemId, wacz };
}
