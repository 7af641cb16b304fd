import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { baseName } from '../../common/text/base-name.js';
import { OrgScoped } from '../../database/org-scoped.js';
import { SUCCESSFUL } from '../../items/data/item-state.facts.js';
import { Item } from '../../items/data/item.schema.js';
import { Page } from '../../pages/data/page.schema.js';
import type { Collection } from './collection.schema.js';

/** The fields of a collection that only the statistics job writes. */
export type CollectionStats = Pick<
  Collection,
  | 'crawlCount'
  | 'pageCount'
  | 'uniquePageCount'
  | 'totalSize'
  | 'dateEarliest'
  | 'dateLatest'
  | 'tags'
  | 'preloadResources'
  | 'topPageHosts'
>;

interface PageFigures {
  readonly pageCount: number;
  readonly uniquePageCount: number;
  readonly dateEarliest: Date | null;
  readonly dateLatest: Date | null;
  readonly hosts: { host: string | null; count: number }[];
}

const NO_PAGES: PageFigures = { pageCount: 0, uniquePageCount: 0, dateEarliest: null, dateLatest: null, hosts: [] };
const TOP_HOSTS = 10;

/** The authority part of an address. */
const FOUND_HOST = { $regexFind: { input: '$_id', regex: '^https?://([^/]+)' } };
const HOST = { $arrayElemAt: [{ $getField: { field: 'captures', input: FOUND_HOST } }, 0] };

/** Groups by address first to count distinct addresses, then by host. `$topN` keeps only what is shown. */
const FIGURES: PipelineStage[] = [
  { $group: { _id: '$url', pages: { $sum: 1 }, first: { $min: '$ts' }, last: { $max: '$ts' } } },
  {
    $group: {
      _id: HOST,
      urls: { $sum: 1 },
      pages: { $sum: '$pages' },
      first: { $min: '$first' },
      last: { $max: '$last' },
    },
  },
  {
    $group: {
      _id: null,
      pageCount: { $sum: '$pages' },
      uniquePageCount: { $sum: '$urls' },
      dateEarliest: { $min: '$first' },
      dateLatest: { $max: '$last' },
      // One more than is shown, because addresses without a host are left out afterwards.
      hosts: { $topN: { n: TOP_HOSTS + 1, sortBy: { pages: -1, _id: 1 }, output: { host: '$_id', count: '$pages' } } },
    },
  },
];

type CountedItem = Pick<Item, '_id' | 'files' | 'tags'>;

function tagsByFrequency(items: readonly CountedItem[]): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of items) for (const tag of tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([tag]) => tag);
}

/** Computes the figures of the statistics job from items and pages. Contract: archive §7.2. */
@Injectable()
export class CollectionStatsQueries {
  private readonly items: OrgScoped<Item>;
  private readonly pages: OrgScoped<Page>;

  constructor(@InjectModel(Item.name) items: Model<Item>, @InjectModel(Page.name) pages: Model<Page>) {
    this.items = new OrgScoped(items);
    this.pages = new OrgScoped(pages);
  }

  /** Computes the figures over the member items that finished well. */
  async compute(oid: string, collectionId: string): Promise<CollectionStats> {
    const items: CountedItem[] = [];
    const filter = { collectionIds: collectionId, state: { $in: [...SUCCESSFUL] } };
    const projection = { 'files.filename': 1, 'files.size': 1, tags: 1 } as const;
    for await (const item of this.items.stream(oid, filter, { projection })) items.push(item);
    const ids = items.map(({ _id }) => _id);
    const [{ hosts, ...figures }, withPages] = await Promise.all([this.figures(oid, ids), this.withPages(oid, ids)]);
    return {
      ...figures,
      crawlCount: items.length,
      totalSize: items.flatMap(({ files }) => files).reduce((sum, { size }) => sum + size, 0),
      tags: tagsByFrequency(items),
      preloadResources: items
        .filter(({ _id }) => !withPages.has(_id))
        .flatMap(({ _id, files }) => files.map(({ filename }) => ({ name: baseName(filename), crawlId: _id }))),
      topPageHosts: hosts.flatMap(({ host, count }) => (host === null ? [] : [{ host, count }])).slice(0, TOP_HOSTS),
    };
  }

  private async figures(oid: string, ids: readonly string[]): Promise<PageFigures> {
    if (ids.length === 0) return NO_PAGES;
    const stages = [{ $match: { crawl_id: { $in: [...ids] } } }, ...FIGURES];
    const [row] = await this.pages.aggregate<PageFigures>(oid, stages);
    if (!row) return NO_PAGES;
    const { pageCount, uniquePageCount, dateEarliest, dateLatest, hosts } = row;
    return { pageCount, uniquePageCount, dateEarliest, dateLatest, hosts };
  }

  private async withPages(oid: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const stages = [{ $match: { crawl_id: { $in: [...ids] } } }, { $group: { _id: '$crawl_id' } }];
    const rows = await this.pages.aggregate<{ _id: string }>(oid, stages);
    return new Set(rows.map(({ _id }) => _id));
  }
}
