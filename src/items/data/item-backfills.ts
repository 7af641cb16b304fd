import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { fillMissing } from '../../database/backfill.js';
import { AtStartup } from '../../database/startup.js';
import { BY_PAGES } from './item.schema.js';
import { SET_QA_SORT_FIELDS } from './qa-sort-fields.facts.js';

/** Fills fields that lists filter and sort by and that documents of the reference lack. */
@Injectable()
export class ItemBackfills {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** The reference's oldest items were written before there were uploads, so they are crawls. */
  @AtStartup('item-types', { after: 'storages of orgs' })
  fillTypes(): Promise<number> {
    return fillMissing({
      name: 'item-types',
      collection: this.connection.collection('crawls'),
      missing: { type: null },
      byOrg: true,
      update: [{ $set: { type: 'crawl' } }],
    });
  }

  @AtStartup('qa-sort-fields', { after: 'storages of orgs' })
  fillQaSortFields(): Promise<number> {
    return fillMissing({
      name: 'qa-sort-fields',
      collection: this.connection.collection('crawls'),
      missing: { qaRunCount: null },
      hint: BY_PAGES,
      byOrg: true,
      update: [SET_QA_SORT_FIELDS],
    });
  }
}
