import type { Connection } from 'mongoose';
import type { AuditEvent } from '../../src/audit/data/audit-event.schema.js';
import { decode } from '../../src/database/uuid-codec.js';

/** All entries of the audit log that match, in the order of their begin. */
export async function entriesOf(connection: Connection, filter: object = {}): Promise<AuditEvent[]> {
  const found = await connection.collection('audit_events').find(filter).sort({ _id: 1 }).toArray();
  return found.map((entry) => decode(entry) as unknown as AuditEvent);
}
