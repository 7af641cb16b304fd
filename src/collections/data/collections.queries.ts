import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { IGNORE_CASE_AND_ACCENTS, OrgScoped } from '../../database/org-scoped.js';
import { Item } from '../../items/data/item.schema.js';
import { Collection, orderIndex } from './collection.schema.js';

export const COLLECTION_SORT_FIELDS = [
  'created',
  'modified',
  'dateLatest',
  'name',
  'crawlCount',
  'pageCount',
  'totalSize',
  'description',
  'caption',
] as const;

export interface CollectionSort {
  readonly field: (typeof COLLECTION_SORT_FIELDS)[number];
  readonly direction: SortDirection;
}

/** Absent and null both mean any. */
export interface CollectionFilter {
  /** Whole name, whatever the case and accents. */
  readonly name?: string | null;
  /** Start of the name, whatever the case; accents count. Ignored when `name` is given. */
  readonly namePrefix?: string | null;
  readonly hasDedupeIndex?: boolean | null;
  readonly access?: string | null;
}

/** The fields of a member item that replay and downloads need. */
export type MemberItem = Pick<Item, '_id' | 'files' | 'version' | 'requiresCrawls'>;

/** Escapes a text for a pattern. BSON keeps patterns as C strings, so NUL must be written out. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\u0000', '\\x00');

export function toCollectionFilter(filter: CollectionFilter): Omit<QueryFilter<Collection>, 'oid'> {
  const { name, namePrefix, hasDedupeIndex, access } = filter;
  return {
    ...(name ? { name } : namePrefix ? { name: { $regex: `^${escaped(namePrefix)}`, $options: 'i' } } : {}),
    ...(typeof hasDedupeIndex === 'boolean' ? { indexState: hasDedupeIndex ? { $ne: null } : null } : {}),
    ...(access ? { access } : {}),
  } as Omit<QueryFilter<Collection>, 'oid'>;
}

/** Sorts by creation by default; `dateLatest` has `dateEarliest` as its second key. */
export function toCollectionSort(sort: CollectionSort | null): Record<string, SortDirection> {
  if (!sort) return { created: 1, _id: 1 };
  const { field, direction } = sort;
  if (field === 'name') return { name: direction };
  const second: Record<string, SortDirection> = field === 'dateLatest' ? { dateEarliest: direction } : {};
  return { [field]: direction, ...second, _id: direction };
}

/** A name belongs to one collection and needs no hint; other lists are read in their order. */
const listHint = ({ name }: CollectionFilter, sort: CollectionSort | null): string | undefined =>
  name ? undefined : orderIndex(sort?.field ?? 'created');

/** Most members that one request reads. */
const MAX_MEMBERS = 100_000;
/** Reads members in as few database batches as their size allows. */
const NEWEST_FIRST = {
  limit: MAX_MEMBERS,
  batchSize: 10_000,
  sort: { finished: -1, _id: 1 },
  hint: { oid: 1, collectionIds: 1, finished: -1, _id: 1 },
} as const;

/** Lists collections and their members. */
@Injectable()
export class CollectionsQueries {
  private readonly collections: OrgScoped<Collection>;
  private readonly items: OrgScoped<Item>;

  constructor(
    @InjectModel(Collection.name) collections: Model<Collection>,
    @InjectModel(Item.name) items: Model<Item>,
  ) {
    this.collections = new OrgScoped(collections);
    this.items = new OrgScoped(items);
  }

  async list(
    oid: string,
    filter: CollectionFilter,
    sort: CollectionSort | null,
    bounds: PageBounds,
  ): Promise<Collection[]> {
    const options = { ...bounds, sort: toCollectionSort(sort), collation: IGNORE_CASE_AND_ACCENTS };
    const hint = listHint(filter, sort);
    return this.collections.find(oid, toCollectionFilter(filter), { ...options, ...(hint ? { hint } : {}) });
  }

  async count(oid: string, filter: CollectionFilter): Promise<number> {
    return this.collections.count(oid, toCollectionFilter(filter), { collation: IGNORE_CASE_AND_ACCENTS });
  }

  /** Reads all names along the unique index. */
  async names(oid: string): Promise<string[]> {
    const stages: PipelineStage[] = [{ $sort: { name: 1 } }, { $project: { _id: 0, name: 1 } }];
    const options = { collation: IGNORE_CASE_AND_ACCENTS };
    const rows = await this.collections.aggregate<{ name: string }>(oid, stages, options);
    return rows.flatMap(({ name }) => (name ? [name] : []));
  }

  /** Items of the collection in any state with their files, the newest first. */
  async members(oid: string, collectionId: string): Promise<MemberItem[]> {
    const projection = { files: 1, version: 1, requiresCrawls: 1 } as const;
    return this.items.find(oid, { collectionIds: collectionId }, { ...NEWEST_FIRST, projection });
  }

  async memberIds(oid: string, collectionId: string): Promise<string[]> {
    const options = { ...NEWEST_FIRST, projection: { _id: 1 } } as const;
    return (await this.items.find(oid, { collectionIds: collectionId }, options)).map(({ _id }) => _id);
  }

  /** Every item of the org with its files, the newest first. */
  async allItems(oid: string): Promise<MemberItem[]> {
    const projection = { files: 1, version: 1, requiresCrawls: 1 } as const;
    return this.items.find(oid, {}, { limit: MAX_MEMBERS, sort: { finished: -1, _id: -1 }, projection });
  }
}
