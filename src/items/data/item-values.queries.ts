import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import type { IndexKeys } from '../../database/list-hint.js';
import { OrgScoped } from '../../database/org-scoped.js';
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
  const last: IndexKeys = field === '_id' ? { finished: -1, _id: -1 } : { [field]: 1 };
  return type ? { oid: 1, type: 1, ...last } : { oid: 1, ...last };
}

/** Finds the values that the filters of item lists offer. */
@Injectable()
export class ItemValuesQueries {
  private readonly items: OrgScoped<Item>;
  private readonly workflows: OrgScoped<Workflow>;

  constructor(@InjectModel(Item.name) items: Model<Item>, @InjectModel(Workflow.name) workflows: Model<Workflow>) {
    this.items = new OrgScoped(items);
    this.workflows = new OrgScoped(workflows);
  }

  /**
   * Returns distinct values over items of any state, without empty texts. Ids come in order of finish, the latest
   * first.
   */
  async searchValues(oid: string, among: Among): Promise<ItemValues> {
    const [ids, names, descriptions, cids] = await Promise.all([
      this.distinct(oid, '_id', among),
      this.distinct(oid, 'name', among),
      this.distinct(oid, 'description', among),
      // Uploads have no workflow.
      among.type === 'upload' ? [] : this.distinct(oid, 'cid', { ...among, type: 'crawl' }),
    ]);
    return { ids, names, descriptions, firstSeeds: await this.firstSeedsOf(oid, cids) };
  }

  private async distinct(oid: string, field: Field, { type, collectionId }: Among): Promise<string[]> {
    const match = { ...(type ? { type } : {}), ...(collectionId ? { collectionIds: uuid(collectionId) } : {}) };
    // Ids are unique, so they need no grouping.
    const stage: PipelineStage = field === '_id' ? { $project: { _id: 1 } } : { $group: { _id: `$${field}` } };
    const options = { hint: hintFor(field, type, collectionId) };
    const found = await this.items.aggregate<{ _id: string | null }>(oid, [{ $match: match }, stage], options);
    return found.flatMap(({ _id }) => (_id ? [_id] : []));
  }

  private async firstSeedsOf(oid: string, cids: readonly string[]): Promise<string[]> {
    if (cids.length === 0) return [];
    const filter = { _id: { $in: [...cids] }, inactive: { $ne: true } };
    const found = await this.workflows.find(oid, filter, { limit: cids.length, projection: { firstSeed: 1 } });
    return [...new Set(found.flatMap(({ firstSeed }) => (firstSeed ? [firstSeed] : [])))];
  }
}
