import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import type { AuditEvent } from '../../src/audit/data/audit-event.schema.js';
import { uuid } from '../../src/database/uuid-codec.js';
import type { AppUnderTest } from './start-app.js';

const { ObjectId } = mongoose.mongo;

type Given = Partial<Omit<AuditEvent, '_id' | 'marks'>>;

/** An entry as it is stored, so that tests choose its time and who is meant. */
export function aLine(given: Given): Record<string, unknown> {
  const line = {
    ...{ oid: null, at: new Date(), actorKind: 'user', actor: randomUUID(), key: null, action: 'updateOrg' },
    ...{ targetKind: null, target: null, fields: ['name'], address: '192.0.2.7', requestId: randomUUID() },
    ...{ outcome: 'done', status: 200 },
    ...given,
  };
  const marks = [
    ...(line.actor ? [`u:${line.actor}`] : []),
    ...(line.key ? [`k:${line.key}`] : []),
    `a:${line.action}`,
    ...(line.target ? [`t:${line.target}`] : []),
  ];
  const ids = (id: string | null) => (id === null ? null : uuid(id));
  return { ...line, oid: ids(line.oid), actor: ids(line.actor), key: ids(line.key), marks, _id: new ObjectId() };
}

/** Stores entries past the service. @returns their ids */
export async function storeLines(under: AppUnderTest, given: readonly Given[]): Promise<string[]> {
  const lines = given.map(aLine);
  await under.connection.collection('audit_events').insertMany(lines as never);
  return lines.map(({ _id }) => String(_id));
}
