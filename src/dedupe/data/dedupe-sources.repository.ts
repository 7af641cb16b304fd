import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { mongo, type Model, type PipelineStage } from 'mongoose';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { uuid } from '../../database/uuid-codec.js';
import { DedupeSource, type SourceFigures } from './dedupe-source.schema.js';

const { ObjectId } = mongo;

/** Sources that one call changes or sweeps. */
const MAX_AT_ONCE = 1_000;

/** The index of a collection. */
export interface IndexKey {
  readonly oid: string;
  readonly collectionId: string;
}

export interface SourceOf {
  readonly id: string;
  readonly itemId: string;
  readonly filename: string;
  readonly imported: Date | null;
}

/** Figures of a whole index. Contract: archive §7.3. */
export interface IndexFigures {
  readonly totalUrls: number;
  readonly dupeUrls: number;
  readonly conservedSize: number;
  readonly uniqueHashes: number;
  readonly estimatedRedundantSize: number;
  readonly totalCrawls: number;
  readonly totalCrawlSize: number;
  readonly removedCrawls: number;
  readonly removedCrawlSize: number;
}

export const NO_FIGURES: IndexFigures = {
  totalUrls: 0,
  dupeUrls: 0,
  conservedSize: 0,
  uniqueHashes: 0,
  estimatedRedundantSize: 0,
  totalCrawls: 0,
  totalCrawlSize: 0,
  removedCrawls: 0,
  removedCrawlSize: 0,
};

const isLive = { $eq: ['$state', 'live'] };
const ifLive = (field: string) => ({ $sum: { $cond: [isLive, `$${field}`, 0] } });

/** Sums over the items of an index. What has left counts as removed, and with what the index has in all. */
const FIGURES: PipelineStage[] = [
  {
    $group: {
      _id: '$itemId',
      isLive: { $max: isLive },
      liveSize: ifLive('size'),
      size: { $sum: '$size' },
      totalUrls: ifLive('totalUrls'),
      dupeUrls: ifLive('dupeUrls'),
      conservedSize: ifLive('conservedSize'),
      uniqueHashes: ifLive('uniqueHashes'),
      redundantSize: ifLive('redundantSize'),
    },
  },
  {
    $group: {
      _id: null,
      totalUrls: { $sum: '$totalUrls' },
      dupeUrls: { $sum: '$dupeUrls' },
      conservedSize: { $sum: '$conservedSize' },
      uniqueHashes: { $sum: '$uniqueHashes' },
      estimatedRedundantSize: { $sum: '$redundantSize' },
      totalCrawls: { $sum: 1 },
      totalCrawlSize: { $sum: { $cond: ['$isLive', '$liveSize', '$size'] } },
      removedCrawls: { $sum: { $cond: ['$isLive', 0, 1] } },
      removedCrawlSize: { $sum: { $cond: ['$isLive', 0, '$size'] } },
    },
  },
  { $project: { _id: 0 } },
];

/** The WACZs in dedupe indexes. Which of them are live decides what look-ups answer. */
@Injectable()
export class DedupeSourcesRepository {
  private readonly sources: OrgScoped<DedupeSource>;

  constructor(@InjectModel(DedupeSource.name) model: Model<DedupeSource>) {
    this.sources = new OrgScoped(model);
  }

  /** Begins the import of a WACZ, or finds the one that was begun. */
  async begin(
    { oid, collectionId }: IndexKey,
    itemId: string,
    { filename, size }: { filename: string; size: number },
  ): Promise<SourceOf> {
    const key = { collectionId, itemId, filename, state: 'live' as const };
    const find = () => this.sources.findOne(oid, key);
    const known = await find();
    if (known) return sourceOf(known);
    const source = { ...key, _id: new ObjectId(), size, imported: null, swept: false, ...NOTHING_FOUND };
    try {
      await this.sources.insert(oid, source);
    } catch (error) {
      const other = isDuplicateKey(error) ? await find() : null;
      if (!other) throw error;
      return sourceOf(other);
    }
    return sourceOf({ ...source, oid });
  }

  /** Marks the import as complete, once. */
  async finish({ oid }: IndexKey, sourceId: string, figures: SourceFigures, imported: Date): Promise<void> {
    const filter = { _id: new ObjectId(sourceId), imported: null };
    await this.sources.updateOne(oid, filter, { $set: { ...figures, imported } });
  }

  /** Those of the sources that are live, by id. */
  async live({ oid, collectionId }: IndexKey, sourceIds: readonly string[]): Promise<Map<string, SourceOf>> {
    if (sourceIds.length === 0) return new Map();
    const ids = sourceIds.map((id) => new ObjectId(id));
    const filter = { _id: { $in: ids }, collectionId, state: 'live' as const };
    const found = await this.sources.find(oid, filter, { limit: ids.length });
    return new Map(found.map((source) => [source._id.toHexString(), sourceOf(source)]));
  }

  /** The live sources of these items. */
  async ofItems({ oid, collectionId }: IndexKey, itemIds: readonly string[]): Promise<SourceOf[]> {
    const found: SourceOf[] = [];
    const filter = { collectionId, itemId: { $in: [...itemIds] }, state: 'live' as const };
    for await (const source of this.sources.stream(oid, filter)) found.push(sourceOf(source));
    return found;
  }

  /** All live sources, item by item. */
  async *all({ oid, collectionId }: IndexKey): AsyncGenerator<SourceOf> {
    const filter = { collectionId, state: 'live' as const };
    for await (const source of this.sources.stream(oid, filter, { sort: { itemId: 1 } })) yield sourceOf(source);
  }

  /** Takes sources out of look-ups. They stay counted as removed. */
  async remove({ oid }: IndexKey, sourceIds: readonly string[]): Promise<void> {
    const ids = sourceIds.map((id) => new ObjectId(id));
    await this.sources.updateMany(oid, { _id: { $in: ids }, state: 'live' }, { $set: { state: 'removed' } });
  }

  /** Forgets everything that the index knows. */
  async purge({ oid, collectionId }: IndexKey, tx?: Tx): Promise<void> {
    const filter = { collectionId, state: { $ne: 'purged' as const } };
    await this.sources.updateMany(oid, filter, { $set: { state: 'purged', swept: false } }, { tx });
  }

  /** Sources that are not live and whose entries are still there. */
  async unswept({ oid, collectionId }: IndexKey): Promise<string[]> {
    const filter = { collectionId, state: { $ne: 'live' as const }, swept: false };
    const found = await this.sources.find(oid, filter, { limit: MAX_AT_ONCE, projection: { _id: 1 } });
    return found.map(({ _id }) => _id.toHexString());
  }

  /** Marks sources whose entries are deleted. Those that nobody counts any more go. */
  async swept({ oid }: IndexKey, sourceIds: readonly string[]): Promise<void> {
    const ids = { $in: sourceIds.map((id) => new ObjectId(id)) };
    await this.sources.updateMany(oid, { _id: ids }, { $set: { swept: true } });
    await this.sources.deleteMany(oid, { _id: ids, state: 'purged' });
  }

  /** Forgets the removed sources of items that are in the index again. */
  async forgetRemoved({ oid, collectionId }: IndexKey, itemId: string): Promise<void> {
    const filter = { collectionId, itemId, state: 'removed' as const };
    await this.sources.updateMany(oid, filter, { $set: { state: 'purged', swept: false } });
  }

  async figures({ oid, collectionId }: IndexKey): Promise<IndexFigures> {
    const counted = { collectionId: uuid(collectionId), state: { $ne: 'purged' }, imported: { $ne: null } };
    const [row] = await this.sources.aggregate<IndexFigures>(oid, [{ $match: counted }, ...FIGURES]);
    return row ?? NO_FIGURES;
  }

  /** What the WACZs of one item have together; null as long as one of them is not imported. */
  async figuresOf(key: IndexKey, itemId: string): Promise<SourceFigures | null> {
    const sums: Record<keyof SourceFigures, number> = { ...NOTHING_FOUND };
    const filter = { collectionId: key.collectionId, itemId, state: 'live' as const };
    for await (const source of this.sources.stream(key.oid, filter)) {
      if (!source.imported) return null;
      for (const field of Object.keys(sums) as (keyof SourceFigures)[]) sums[field] += source[field];
    }
    return sums;
  }

  /** The collections that have sources in the org. */
  async collectionsOf(oid: string): Promise<string[]> {
    const rows = await this.sources.aggregate<{ _id: string }>(oid, [{ $group: { _id: '$collectionId' } }]);
    return rows.map(({ _id }) => _id);
  }

  async deleteAllOf(oid: string, collectionId: string): Promise<void> {
    await this.sources.deleteMany(oid, { collectionId });
  }
}

const NOTHING_FOUND: SourceFigures = {
  totalUrls: 0,
  dupeUrls: 0,
  conservedSize: 0,
  uniqueHashes: 0,
  redundantSize: 0,
};

const sourceOf = ({ _id, itemId, filename, imported }: DedupeSource): SourceOf => ({
  id: _id.toHexString(),
  itemId,
  filename,
  imported,
});
