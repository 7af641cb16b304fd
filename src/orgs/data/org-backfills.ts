import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { AnyObject, Collection, Connection } from 'mongoose';
import { backfillStep, type Backfill } from '../../database/backfill.js';
import { Startup } from '../../database/startup.js';

/** What orgs of another version lack. */
@Injectable()
export class OrgBackfills {
  constructor(@InjectConnection() connection: Connection, startup: Startup) {
    const orgs = connection.collection('organizations');
    startup.register(backfillStep(creationDates(orgs, connection.collection('crawl_configs'))));
    startup.register(backfillStep(orderedNames(orgs)));
  }
}

/**
 * Orgs of before the field `created` get the date of their first workflow; those without workflows stay without.
 * Contract: accounts §15.3 (migration 0031), S4.
 */
function creationDates(orgs: Collection<AnyObject>, workflows: Collection<AnyObject>): Backfill {
  return {
    name: 'org-created',
    order: 120,
    collection: orgs,
    missing: { created: null },
    update: async (oid) => {
      const options = { sort: { created: 1 }, projection: { created: 1 } } as const;
      const first = await workflows.findOne({ oid, created: { $type: 'date' } }, options);
      return first && { $set: { created: first['created'] as Date } };
    },
  };
}

/** The name that lists are ordered by (`nameOrder`), where it is missing or that of an earlier name. */
export function orderedNames(orgs: Collection<AnyObject>): Backfill {
  const nameLower = { $toLower: '$name' };
  return {
    name: 'org-name-order',
    order: 121,
    collection: orgs,
    missing: { $expr: { $ne: ['$nameLower', nameLower] } },
    update: [{ $set: { nameLower } }],
  };
}
