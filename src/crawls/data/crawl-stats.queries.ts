import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { decode } from '../../database/uuid-codec.js';
import { Item } from '../../items/data/item.schema.js';

const SHOWN = { oid: 1, cid: 1, name: 1, state: 1, userid: 1, started: 1, finished: 1, stats: 1, fileSize: 1 } as const;

@Injectable()
export class CrawlStatsQueries {
  constructor(@InjectModel(Item.name) private readonly items: Model<Item>) {}

  /** Streams all crawls of an org, oldest first, one batch at a time. @param oid null: all orgs */
  async *crawls(oid: string | null): AsyncGenerator<Item> {
    const filter = { type: 'crawl', ...(oid ? { oid } : {}) } as QueryFilter<Item>;
    const query = this.items.find(filter, SHOWN, { sort: { started: 1 } }).allowDiskUse(true);
    for await (const item of query.lean().cursor({ batchSize: 500 })) yield decode(item as Item);
  }
}
