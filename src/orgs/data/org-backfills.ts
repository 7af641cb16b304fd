import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { AnyObject, Collection, Connection } from 'mongoose';
import { fillMissing, type Backfill } from '../../database/backfill.js';
import { AtStartup } from '../../database/startup.js';

/** What orgs of another version lack. */
@Injectable()
export class OrgBackfills {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  @AtStartup('org-created', { after: 'default-org' })
  fillCreationDates(): Promise<number> {
    const { connection } = this;
    return fillMissing(creationDates(connection.collection('organizations'), connection.collection('crawl_configs')));
  }

  @AtStartup('org-name-order', { after: 'org-created' })
  fillNameOrder(): Promise<number> {
    return fillMissing(orderedNames(this.connection.collection('organizations')));
  }
}

/**
 * Orgs of before the field `created` get the date of their first workflow; those without workflows stay without.
 * Contract: accounts §15.3 (migration 0031), S4.
 */
function creationDates(orgs: Collection<AnyObject>, workflows: Collection<AnyObject>): Backfill {
  return {
    name: 'org-created',
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
    collection: orgs,
    missing: { $expr: { $ne: ['$nameLower', nameLower] } },
    update: [{ $set: { nameLower } }],
  };
}
