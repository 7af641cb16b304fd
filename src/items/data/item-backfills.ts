import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { fillMissing } from '../../database/backfill.js';
import { AtStartup } from '../../database/startup.js';
import { SET_QA_SORT_FIELDS } from './qa-sort-fields.facts.js';

/** What lists sort by, which documents of the reference lack. */
@Injectable()
export class ItemBackfills {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  @AtStartup('qa-sort-fields', { after: 'storages of orgs' })
  fillQaSortFields(): Promise<number> {
    return fillMissing({
      name: 'qa-sort-fields',
      collection: this.connection.collection('crawls'),
      missing: { qaRunCount: null },
      byOrg: true,
      update: [SET_QA_SORT_FIELDS],
    });
  }
}
