import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { AnyObject, Collection, Connection } from 'mongoose';
import { fillMissing, type Backfill } from '../../database/backfill.js';
import { AtStartup } from '../../database/startup.js';

/** Fills fields that orgs of another version lack. */
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
 * Gives orgs without `created` the creation date of their first workflow. Orgs without workflows stay without a date.
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

/** Fills the name by which lists are ordered (`nameOrder`), where it is missing or belongs to a former name. */
export function orderedNames(orgs: Collection<AnyObject>): Backfill {
  const nameLower = { $toLower: '$name' };
  return {
    name: 'org-name-order',
    collection: orgs,
    missing: { $expr: { $ne: ['$nameLower', nameLower] } },
    update: [{ $set: { nameLower } }],
  };
}
