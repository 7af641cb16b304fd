import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { hasQaRun, knownPageCount, type KnownPages } from './item-pages.facts.js';
import { Item } from './item.schema.js';

const COUNT = ['pageCount', 'finished', 'version', 'isMigrating'];

/** Reads what the pages need to know of their item. */
@Injectable()
export class ItemPagesQueries {
  private readonly items: OrgScoped<Item>;

  constructor(@InjectModel(Item.name) model: Model<Item>) {
    this.items = new OrgScoped(model);
  }

  async knownOf(oid: string, itemId: string, qaRunId?: string): Promise<KnownPages> {
    const ofRun = qaRunId === undefined ? [] : ['qa.id', `qaFinished.${qaRunId}.id`];
    const projection = Object.fromEntries([...COUNT, ...ofRun].map((field) => [field, 1]));
    const item = await this.items.findOne(oid, { _id: itemId }, { projection });
    if (!item) return { count: null, hasRun: false };
    return {
      count: knownPageCount(item),
      hasRun: qaRunId !== undefined && hasQaRun(item, qaRunId),
    };
  }
}
