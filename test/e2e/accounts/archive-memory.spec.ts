import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { uuid } from '../../../src/database/uuid-codec.js';
import { killApiProcess, startApiProcess, type ApiProcess } from '../../support/api-process.js';
import { ADMIN } from '../../support/start-app.js';

/** Half of the export: a process that held its documents would end for want of memory. */
const HEAP_MB = 120;
const PAGES = 30_000;
const PAGE_BYTES = 8_000;
/** What a process may take more than at rest; one that held the bytes of the export would take 240 MB. */
const GROWTH_KB = 180_000;
const BATCH = 1_000;
const BOUND_MS = 600_000;

interface Side {
  readonly connection: Connection;
  readonly dataDir: string;
  readonly api: ApiProcess;
  readonly headers: Record<string, string>;
}

const sides: Side[] = [];

/** Of a process, kB: `VmRSS` now, `VmHWM` at its height. */
async function memoryOf({ child }: ApiProcess, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
}

async function aSide(): Promise<Side> {
  const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
  const dbName = `t_${randomBytes(8).toString('hex')}`;
  const connection = await mongoose.createConnection(url, { dbName }).asPromise();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'muniment-memory-'));
  const variables = { MONGO_DB_URL: url, MONGO_DB_NAME: dbName, DATA_DIR: dataDir };
  const api = await startApiProcess(variables, [`--max-old-space-size=${String(HEAP_MB)}`]);
  const body = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
  const login = await fetch(`${api.baseUrl}/api/auth/jwt/login`, { method: 'POST', body });
  const { access_token } = (await login.json()) as { access_token: string };
  const side = { connection, dataDir, api, headers: { authorization: `Bearer ${access_token}` } };
  sides.push(side);
  return side;
}

afterAll(async () => {
  for (const { api, connection, dataDir } of sides) {
    await killApiProcess(api);
    await connection.dropDatabase();
    await connection.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}, BOUND_MS);

describe('an org that is larger than the memory', () => {
  it(
    'is exported and imported at the same time, within it',
    async () => {
      const [from, into] = [await aSide(), await aSide()];
      const created = await fetch(`${from.api.baseUrl}/api/orgs/create`, {
        method: 'POST',
        headers: { ...from.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Large' }),
      });
      const { id } = (await created.json()) as { id: string };
      const text = randomBytes(PAGE_BYTES / 2).toString('hex');
      for (let at = 0; at < PAGES; at += BATCH)
        await from.connection.collection('pages').insertMany(
          Array.from({ length: BATCH }, (_, n) => ({
            _id: uuid(randomUUID()) as never,
            oid: uuid(id),
            crawl_id: 'manual-20201101100000-0e138ad6-b8c',
            url: `https://e.example/${String(at + n)}`,
            text,
          })),
        );

      const atRest = await Promise.all(sides.map(({ api }) => memoryOf(api, 'VmRSS')));
      const file = await fetch(`${from.api.baseUrl}/api/orgs/${id}/export/json`, { headers: from.headers });
      expect(file.status).toBe(200);
      const taken = await fetch(`${into.api.baseUrl}/api/orgs/import/json`, {
        method: 'POST',
        headers: into.headers,
        body: file.body,
        duplex: 'half',
      } as RequestInit);
      expect(await taken.json()).toEqual({ imported: true });
      expect(await into.connection.collection('pages').countDocuments({ oid: uuid(id) })).toBe(PAGES);
      const heights = await Promise.all(sides.map(({ api }) => memoryOf(api, 'VmHWM')));
      expect(Math.max(...heights.map((height, n) => height - (atRest[n] ?? 0)))).toBeLessThan(GROWTH_KB);
      // Both still live: neither ran out of its heap.
      for (const { api } of sides) expect([api.child.exitCode, api.child.signalCode]).toEqual([null, null]);
    },
    BOUND_MS,
  );
});
