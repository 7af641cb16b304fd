import { Injectable } from '@nestjs/common';
import { DedupeSourcesRepository, type IndexKey, type SourceOf } from '../../dedupe/data/dedupe-sources.repository.js';
import { DedupeHashesRepository } from '../../dedupe/data/dedupe-hashes.repository.js';
import { WaczImporter } from '../../dedupe/wacz-importer.js';
import { ItemCollectionsRepository, type IndexedItem } from '../../items/data/item-collections.repository.js';
import { ItemsRepository } from '../../items/data/items.repository.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';

/** Items that are looked at together. */
const BATCH = 100;

type Progress = (done: number) => Promise<void>;

/** Compares a dedupe index with the members of its collection, and makes the two agree. */
@Injectable()
export class IndexMembers {
  constructor(
    private readonly sources: DedupeSourcesRepository,
    private readonly hashes: DedupeHashesRepository,
    private readonly importer: WaczImporter,
    private readonly membership: ItemCollectionsRepository,
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
  ) {}

  /** Takes out what is no file of a member any more. Look-ups skip it already, since they look at the items. */
  async removeLost(key: IndexKey): Promise<void> {
    let batch: SourceOf[] = [];
    const remove = async (): Promise<void> => {
      const itemIds = [...new Set(batch.map(({ itemId }) => itemId))];
      const members = await this.membership.indexedOf(key.oid, key.collectionId, itemIds);
      const files = new Map(members.map(({ _id, files: own }) => [_id, new Set(own.map(({ filename }) => filename))]));
      const lost = batch.filter(({ itemId, filename }) => !files.get(itemId)?.has(filename));
      if (lost.length > 0)
        await this.sources.remove(
          key,
          lost.map(({ id }) => id),
        );
      batch = [];
    };
    for await (const source of this.sources.all(key)) if (batch.push(source) >= BATCH) await remove();
    if (batch.length > 0) await remove();
  }

  /** Deletes the entries of sources that are not live. */
  async sweep(key: IndexKey, signal: AbortSignal): Promise<void> {
    for (;;) {
      const sourceIds = await this.sources.unswept(key);
      if (sourceIds.length === 0) return;
      await this.hashes.deleteOf(key.collectionId, sourceIds, signal);
      await this.sources.swept(key, sourceIds);
    }
  }

  /** Imports the files of members that the index lacks. */
  async addMissing(key: IndexKey, signal: AbortSignal, progress: Progress): Promise<void> {
    const org = await this.orgs.findById(key.oid);
    if (!org) return;
    const missing = await this.missing(key);
    const total = missing.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
    let done = 0;
    for (const { itemId, bytes } of missing) {
      signal.throwIfAborted();
      const [item] = await this.membership.indexedOf(key.oid, key.collectionId, [itemId]);
      for (const file of item?.files ?? []) await this.importer.import(org, key, itemId, file, signal);
      if (item?.dedupeCollId === key.collectionId) await this.tellItem(key, itemId);
      done += bytes;
      await progress(done / total);
    }
  }

  /** Members with files that are not imported. */
  private async missing(key: IndexKey): Promise<{ itemId: string; bytes: number }[]> {
    const missing: { itemId: string; bytes: number }[] = [];
    let batch: IndexedItem[] = [];
    const compare = async (): Promise<void> => {
      const ids = batch.map(({ _id }) => _id);
      const known = await this.sources.ofItems(key, ids);
      const imported = new Set(known.flatMap((one) => (one.imported ? [`${one.itemId} ${one.filename}`] : [])));
      for (const { _id, files, dedupeCollId, dedupeStats } of batch) {
        const some = files.filter(({ filename }) => !imported.has(`${_id} ${filename}`));
        const isUntold = dedupeCollId === key.collectionId && !dedupeStats;
        if (some.length > 0 || isUntold)
          missing.push({ itemId: _id, bytes: some.reduce((sum, { size }) => sum + size, 0) });
      }
      batch = [];
    };
    for await (const item of this.membership.indexed(key.oid, key.collectionId))
      if (batch.push(item) >= BATCH) await compare();
    if (batch.length > 0) await compare();
    return missing;
  }

  /** Stores with a crawl what its deduplication saved. */
  private async tellItem(key: IndexKey, itemId: string): Promise<void> {
    const figures = await this.sources.figuresOf(key, itemId);
    if (!figures) return;
    const { uniqueHashes, totalUrls, dupeUrls, conservedSize } = figures;
    await this.items.set(key.oid, itemId, { dedupeStats: { uniqueHashes, totalUrls, dupeUrls, conservedSize } });
  }
}
