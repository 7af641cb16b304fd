import type { Connection } from 'mongoose';
import type { AuditEvent } from '../../src/audit/data/audit-event.schema.js';
import { decode } from '../../src/database/uuid-codec.js';
import { eventually } from './eventually.js';

/** How long entries that stay `begun` are waited for, ms: requests that were answered settle theirs within a tenth of it. */
const SETTLED_MS = 1_000;

/** All entries of the audit log that match, in the order of their begin; what was answered is settled. */
export async function entriesOf(connection: Connection, filter: object = {}): Promise<AuditEvent[]> {
  const begun = { $and: [filter, { outcome: 'begun' }] };
  const isSettled = async (): Promise<void> => {
    if ((await connection.collection('audit_events').countDocuments(begun)) > 0) throw new Error('not settled');
  };
  await eventually(isSettled, SETTLED_MS, 20).catch(() => undefined);
  const found = await connection.collection('audit_events').find(filter).sort({ _id: 1 }).toArray();
  return found.map((entry) => decode(entry) as unknown as AuditEvent);
}
