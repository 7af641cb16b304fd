import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { NEVER, SET_ASIDE } from '../../database/failing.js';
import { decode } from '../../database/uuid-codec.js';

export interface SetAside {
  readonly subject: 'deletion' | 'upload' | 'event';
  readonly oid: string | null;
  readonly id: string;
  readonly reason: string;
}

interface Row {
  readonly _id: string;
  readonly oid?: string;
  readonly type?: string;
  readonly attempts?: number;
  readonly failing?: { readonly reason?: string };
  readonly payload?: { readonly oid?: string };
}

const SOURCES = [
  { subject: 'deletion', collection: 'crawls', filter: { deleted: true, ...SET_ASIDE } },
  { subject: 'deletion', collection: 'file_deletions', filter: { leaseUntil: NEVER } },
  { subject: 'upload', collection: 'resumable_uploads', filter: SET_ASIDE },
  { subject: 'event', collection: 'domain_events', filter: { leaseUntil: NEVER } },
] as const;

/** Work that workers gave up after many tries, of all orgs. */
@Injectable()
export class SetAsideQueries {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async *all(): AsyncGenerator<SetAside> {
    for (const { subject, collection, filter } of SOURCES) {
      for await (const found of this.connection.collection(collection).find(filter)) {
        const { _id, oid, type, attempts, failing, payload } = decode(found as unknown as Row);
        const reason = failing?.reason ?? `${type ?? 'given up'} after ${String(attempts)} tries`;
        yield { subject, oid: oid ?? payload?.oid ?? null, id: String(_id), reason };
      }
    }
  }
}
