import type { Connection, mongo } from 'mongoose';
import { eventually } from './eventually.js';

/** The URL of a database, with the name under which it knows the connections. */
export const namedConnections = (url: string, name: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}appName=${name}`;

interface Session {
  readonly type: string;
  readonly lsid: { readonly id: mongo.Binary };
}

/**
 * Ends the transactions that killed processes have left open, as the database does by itself after a minute: until then
 * nobody can write what they wrote. What the database is still doing for one is done first.
 */
export async function endTransactionsOf(connection: Connection, name: string): Promise<void> {
  const admin = connection.getClient().db('admin');
  const open = [{ $currentOp: { idleSessions: true } }, { $match: { appName: name, transaction: { $exists: true } } }];
  await eventually(async () => {
    const sessions = await admin.aggregate<Session>(open).toArray();
    const idle = sessions.filter(({ type }) => type === 'idleSession');
    if (idle.length > 0) await admin.command({ killSessions: idle.map(({ lsid: { id } }) => ({ id })) });
    if (sessions.length > 0) throw new Error(`${String(sessions.length)} transactions of ${name} are open`);
  });
}
