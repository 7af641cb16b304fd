import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import type { IndexKeys } from '../../database/list-hint.js';
import { OrgScoped } from '../../database/org-scoped.js';
import { LARGE, Remembered } from '../../database/counts/remembered.js';
import { uuid } from '../../database/uuid-codec.js';
import { Workflow } from '../../workflows/data/workflow.schema.js';
import { Item } from './item.schema.js';

export interface ItemValues {
  readonly ids: string[];
  readonly names: string[];
  readonly descriptions: string[];
  /** First seeds of the matched crawls' active workflows. */
  readonly firstSeeds: string[];
}

type Field = '_id' | 'name' | 'description' | 'cid';

interface Among {
  readonly type?: Item['type'] | null;
  readonly collectionId?: string | null;
}

/** Returns the index to read values by. The index alone suffices, except for a collection's items. */
function hintFor(field: Field, type: Among['type'], collectionId: Among['collectionId']): IndexKeys {
  if (collectionId) return { oid: 1, collectionIds: 1, finished: -1, _id: 1 };
  if (field !== '_id') return { oid: 1, type: 1, [field]: 1 };
  return type ? { oid: 1, type: 1, finished: -1, _id: -1 } : { oid: 1, finished: -1, _id: -1 };
}

/** The database's codes for a document above 16 MB, for a buffer above 64 MB, and for a list above 100 MB. */
const TOO_LARGE = [10334, 13548, 146];

const isTooLarge = (error: unknown): boolean => TOO_LARGE.includes((error as { code?: number }).code ?? 0);

/** Values of 100,000 items take 6 MB. */
const MOST_KEPT = 4;

/** Finds the values that the filters of item lists offer. */
@Injectable()
export class ItemValuesQueries {
  private readonly items: OrgScoped<Item>;
  private readonly workflows: OrgScoped<Workflow>;
  private readonly remembered = new Remembered<ItemValues>({
    isLarge: ({ ids }) => ids.length >= LARGE,
    mostKept: MOST_KEPT,
  });

  constructor(@InjectModel(Item.name) items: Model<Item>, @InjectModel(Workflow.name) workflows: Model<Workflow>) {
    this.items = new OrgScoped(items);
    this.workflows = new OrgScoped(workflows);
  }

  /**
   * Returns distinct values over items of any state, without empty texts. Ids come in order of finish, the latest
   * first. Those of many items may be ten seconds old.
   */
  async searchValues(oid: string, among: Among): Promise<ItemValues> {
    const { type = null, collectionId = null } = among;
    return this.remembered.of(JSON.stringify([oid, type, collectionId]), () => this.find(oid, among));
  }

  private async find(oid: string, among: Among): Promise<ItemValues> {
    const [ids, names, descriptions, cids] = await Promise.all([
      this.distinct(oid, '_id', among),
      this.texts(oid, 'name', among),
      this.texts(oid, 'description', among),
      // Uploads have no workflow.
      among.type === 'upload' ? [] : this.distinct(oid, 'cid', { ...among, type: 'crawl' }),
    ]);
    return { ids, names, descriptions, firstSeeds: await this.firstSeedsOf(oid, cids) };
  }

  /** The indexes of texts tell types apart, so each type is asked for its own. The order is the database's of texts. */
  private async texts(oid: string, field: 'name' | 'description', among: Among): Promise<string[]> {
    if (among.type || among.collectionId) return this.distinct(oid, field, among);
    const types = ['crawl', 'upload'] as const;
    const [crawls = [], uploads = []] = await Promise.all(
      types.map((type) => this.distinct(oid, field, { ...among, type })),
    );
    if (uploads.length === 0) return crawls;
    const all = [...new Set([...crawls, ...uploads])].map((text) => ({ text, bytes: Buffer.from(text) }));
    return all.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ text }) => text);
  }

  private async distinct(oid: string, field: Field, { type, collectionId }: Among): Promise<string[]> {
    const match = { ...(type ? { type } : {}), ...(collectionId ? { collectionIds: uuid(collectionId) } : {}) };
    // Ids are unique, so they need no grouping.
    const stage: PipelineStage = field === '_id' ? { $project: { _id: 1 } } : { $group: { _id: `$${field}` } };
    const options = { hint: hintFor(field, type, collectionId) };
    const found = await this.inOne(oid, [{ $match: match }, stage], options);
    return found.filter((value): value is string => !!value);
  }

  /** Reads the ids of all rows as one list, which costs a tenth of reading them row by row. Their order is kept. */
  private async inOne(
    oid: string,
    stages: PipelineStage[],
    options: { hint: IndexKeys },
  ): Promise<readonly (string | null)[]> {
    const list: PipelineStage = { $group: { _id: null, values: { $push: '$_id' } } };
    try {
      const [all] = await this.items.aggregate<{ values: (string | null)[] }>(oid, [...stages, list], options);
      return all?.values ?? [];
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      return (await this.items.aggregate<{ _id: string | null }>(oid, stages, options)).map(({ _id }) => _id);
    }
  }

  private async firstSeedsOf(oid: string, cids: readonly string[]): Promise<string[]> {
    if (cids.length === 0) return [];
    const filter = { _id: { $in: [...cids] }, inactive: { $ne: true } };
    const found = await this.workflows.find(oid, filter, { limit: cids.length, projection: { firstSeed: 1 } });
    return [...new Set(found.flatMap(({ firstSeed }) => (firstSeed ? [firstSeed] : [])))];
  }
}
