import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { uuid } from '../../database/uuid-codec.js';
import { Workflow } from '../../workflows/data/workflow.schema.js';
import type { IndexKeys } from './item-hints.js';
import { Item } from './item.schema.js';

export interface ItemValues {
  ids: string[];
  names: string[];
  descriptions: string[];
  /** Of the active workflows of the matched crawls. */
  firstSeeds: string[];
}

const FIELDS = ['_id', 'name', 'description', 'cid'] as const;

/** Read from an index alone where that holds the field. */
function hintFor(
  field: (typeof FIELDS)[number],
  { type, collectionId }: { type?: Item['type'] | null; collectionId?: string | null },
): IndexKeys {
  if (collectionId) return { oid: 1, collectionIds: 1, finished: -1, _id: 1 };
  if (type) return { oid: 1, type: 1, finished: -1, _id: -1 };
  return field === 'name' || field === 'description' ? { oid: 1, [field]: 1 } : { oid: 1, finished: -1, _id: -1 };
}

/** What the filters of item lists can be filled with. */
@Injectable()
export class ItemValuesQueries {
  private readonly items: OrgScoped<Item>;
  private readonly workflows: OrgScoped<Workflow>;

  constructor(@InjectModel(Item.name) items: Model<Item>, @InjectModel(Workflow.name) workflows: Model<Workflow>) {
    this.items = new OrgScoped(items);
    this.workflows = new OrgScoped(workflows);
  }

  /** Distinct values over items of any state, sorted, empty texts left out. */
  async searchValues(
    oid: string,
    { type, collectionId }: { type?: Item['type'] | null; collectionId?: string | null },
  ): Promise<ItemValues> {
    // A type is missing in old documents: those are crawls.
    const types = type === 'crawl' ? ['crawl', null] : [type];
    const match = {
      ...(type ? { type: { $in: types } } : {}),
      ...(collectionId ? { collectionIds: uuid(collectionId) } : {}),
    };
    const [ids = [], names = [], descriptions = [], cids = []] = await Promise.all(
      FIELDS.map((field) => this.distinct(oid, match, { field, hint: hintFor(field, { type, collectionId }) })),
    );
    return { ids, names, descriptions, firstSeeds: await this.firstSeedsOf(oid, cids) };
  }

  private async distinct(
    oid: string,
    match: PipelineStage.Match['$match'],
    { field, hint }: { field: string; hint: IndexKeys },
  ): Promise<string[]> {
    const stages: PipelineStage[] = [{ $match: match }, { $group: { _id: `$${field}` } }, { $sort: { _id: 1 } }];
    const rows = await this.items.aggregate<{ _id: string | null }>(oid, stages, { hint });
    return rows.flatMap(({ _id }) => (_id ? [_id] : []));
  }

  private async firstSeedsOf(oid: string, cids: readonly string[]): Promise<string[]> {
    if (cids.length === 0) return [];
    const filter = { _id: { $in: [...cids] }, inactive: { $ne: true } };
    const found = await this.workflows.find(oid, filter, { limit: cids.length, projection: { firstSeed: 1 } });
    return [...new Set(found.flatMap(({ firstSeed }) => (firstSeed ? [firstSeed] : [])))].sort();
  }
}
