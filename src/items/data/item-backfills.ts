import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { backfillStep } from '../../database/backfill.js';
import { Startup } from '../../database/startup.js';
import { SET_QA_SORT_FIELDS } from './qa-sort-fields.facts.js';

/** What lists sort by, which documents of the reference lack. */
@Injectable()
export class ItemBackfills {
  constructor(@InjectConnection() connection: Connection, startup: Startup) {
    const qaSortFields = {
      name: 'qa-sort-fields',
      order: 210,
      collection: connection.collection('crawls'),
      missing: { qaRunCount: null },
      byOrg: true,
      update: [SET_QA_SORT_FIELDS],
    };
    startup.register(backfillStep(qaSortFields));
  }
}
