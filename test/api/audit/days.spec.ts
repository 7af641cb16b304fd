import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { days, hours } from '../../../src/common/units/durations.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { LedgerChecks } from '../../../src/invariants/ledger-checks.js';
import type { Violation } from '../../../src/invariants/violation.js';
import { AuditChainsRepository } from '../../../src/ledger/data/audit-chains.repository.js';
import { DayClosing } from '../../../src/ledger/day-closing.js';
import { storeLines } from '../../support/audit-lines.js';
import { violations } from '../../support/invariants.js';
import { aMember, anOrg } from '../../support/people.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

const sha256 = (of: string | Buffer): string => createHash('sha256').update(of).digest('hex');
interface StoredChain {
  readonly _id: string;
  readonly checkpoint: { readonly day: string; readonly digest: string };
}

const ZEROS = '0'.repeat(64);

describe('closed days of the audit log', () => {
  let on: AppUnderTest;
  let oid: string;
  let today: number;

  beforeAll(async () => {
    on = await startApp();
  });
  afterAll(() => on.close());
  beforeEach(async () => {
    oid = await anOrg(on);
    // What the service itself has written of this org belongs to the days of the test as well.
    await on.connection.collection('audit_events').deleteMany({ oid: uuid(oid) });
    today = Math.floor(on.clock.nowMs() / days(1)) * days(1);
  });

  const closing = () => on.app.get(DayClosing, { strict: false });
  const at = (day: number, hour: number): Date => new Date(today + days(day) + hours(hour));
  const dayText = (day: number): string => at(day, 0).toISOString().slice(0, 10);
  const lines = (...moments: Date[]) =>
    storeLines(
      on,
      moments.map((moment) => ({ oid, at: moment })),
    );

  /** Moves the clock behind the grace of a day and closes what can be closed. */
  async function close(day: number, hour = 26): Promise<void> {
    on.clock.set(at(day, hour));
    await closing().findChains();
    await closing().drain();
  }
  const listed = async (query = '') => (await (await on.admin()).get(`/orgs/${oid}/audit/days${query}`)).body;
  const fileOf = (day: number) => path.join(on.dataDir, 'storage', oid, 'audit', `${dayText(day)}.jsonl.gz`);
  async function found(): Promise<Violation[]> {
    const all: Violation[] = [];
    await on.app.get(LedgerChecks, { strict: false }).check((one) => all.push(one));
    return all.filter((one) => one.oid === oid);
  }
  const fields = async (): Promise<string[]> => (await found()).map(({ field }) => field);

  /** Three days with lines, and one without between them. */
  async function threeDays(): Promise<void> {
    await lines(at(0, 1), at(0, 2), at(1, 3), at(3, 4), at(3, 4));
    await close(3);
  }

  it('have all lines of a day in their order, and are chained to the day before', async () => {
    await threeDays();
    const { items, next, checkpoint } = await listed();
    expect([next, checkpoint]).toEqual([null, null]);
    expect(items.map(({ day, count }: { day: string; count: number }) => [day, count])).toEqual([
      ...[
        [dayText(3), 2],
        [dayText(1), 1],
        [dayText(0), 2],
      ],
    ]);
    let previous = ZEROS;
    for (const item of [...items].reverse()) {
      const bytes = await readFile(path.join(on.dataDir, 'storage', oid, 'audit', `${item.day as string}.jsonl.gz`));
      expect(item).toMatchObject({ previous, sha256: sha256(bytes), size: bytes.length });
      previous = sha256(`${previous}\n${item.day as string}\n${String(item.count)}\n${item.sha256 as string}\n`);
      expect(item.digest).toBe(previous);
      const text = gunzipSync(bytes).toString();
      const entries = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(entries).toHaveLength(item.count as number);
      expect(entries.every((entry) => String(entry['at']).startsWith(item.day as string))).toBe(true);
      expect(entries.map((entry) => JSON.stringify(entry, Object.keys(entry).sort()))).toEqual(
        entries.map((entry) => JSON.stringify(entry)),
      );
    }
    expect(await found()).toEqual([]);
    expect(await violations(on)).toEqual([]);
  });

  it('are sent to owners, and those of the installation to superusers', async () => {
    await threeDays();
    await storeLines(on, [{ at: at(3, 5) }]);
    await close(4);
    const owner = await aMember(on, oid, 40);
    const [first] = (await owner.api.get(`/orgs/${oid}/audit/days?pageSize=1`)).body.items;
    expect(first.url).toBe(`${on.baseUrl}/api/orgs/${oid}/audit/days/${dayText(3)}/file`);
    const get = (token: string | null | undefined, url: string) =>
      fetch(url, { headers: { authorization: `Bearer ${token ?? ''}` } });
    const answer = await get(owner.api.token, first.url);
    expect(answer.headers.get('content-type')).toBe('application/gzip');
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(first.sha256);
    const missing = await owner.api.get(`/orgs/${oid}/audit/days/${dayText(2)}/file`);
    expect([missing.status, missing.body]).toEqual([404, { detail: 'audit_day_not_found' }]);
    const admin = await on.admin();
    const [system] = (await admin.get('/orgs/all/audit/days')).body.items;
    const ofSystem = await get(admin.token, system.url);
    expect(sha256(Buffer.from(await ofSystem.arrayBuffer()))).toBe(system.sha256);
    const crawler = await aMember(on, oid, 20);
    expect((await crawler.api.get(`/orgs/${oid}/audit/days`)).status).toBe(403);
    expect((await crawler.api.get(`/orgs/${oid}/audit/days/${dayText(3)}/file`)).status).toBe(403);
    expect((await owner.api.get('/orgs/all/audit/days')).status).toBe(403);
  });

  it('are listed page by page', async () => {
    await threeDays();
    const first = await listed('?pageSize=2');
    expect(first.next).toBe(dayText(1));
    const second = await listed(`?pageSize=2&before=${String(first.next)}`);
    expect(second.items.map(({ day }: { day: string }) => day)).toEqual([dayText(0)]);
    expect(second.next).toBeNull();
  });

  it('are closed an hour after their end, once nothing of them is under way', async () => {
    const [id] = await storeLines(on, [
      { oid, at: at(0, 23), outcome: 'begun', status: null },
      { oid, at: at(0, 1) },
    ]);
    await close(0, 24.9);
    expect((await listed()).items).toEqual([]);
    await close(0, 25.1);
    expect((await listed()).items).toEqual([]);
    const { ObjectId } = (await import('mongoose')).default.mongo;
    const settled = { $set: { outcome: 'unknown' } };
    await on.connection.collection('audit_events').updateOne({ _id: new ObjectId(id) }, settled);
    await close(0, 26);
    expect((await listed()).items).toMatchObject([{ day: dayText(0), count: 2 }]);
  });

  it('are closed once by two processes', async () => {
    await lines(at(0, 1), at(1, 1), at(2, 1));
    const other = await startApp({ like: on });
    try {
      on.clock.set(at(2, 26));
      await Promise.all([closing().findChains(), other.app.get(DayClosing, { strict: false }).findChains()]);
      await Promise.all([closing().drain(), other.app.get(DayClosing, { strict: false }).drain()]);
      expect((await listed()).items).toHaveLength(3);
      expect(await found()).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('are written over after a death between file and record', async () => {
    await lines(at(0, 1), at(0, 2));
    const chains = on.app.get(AuditChainsRepository, { strict: false });
    const real = chains.close.bind(chains);
    chains.close = () => Promise.reject(new Error('killed'));
    await close(0);
    chains.close = real;
    const before = await readFile(fileOf(0));
    expect((await listed()).items).toEqual([]);
    // The object is planned, so nobody takes it for a stray.
    expect((await violations(on)).filter(({ id }) => id.startsWith(oid))).toEqual([]);
    on.clock.advance(hours(1));
    await closing().drain();
    expect((await listed()).items).toMatchObject([{ count: 2, sha256: sha256(before), previous: ZEROS }]);
    expect(await readFile(fileOf(0))).toEqual(before);
    expect(await found()).toEqual([]);
  });

  describe('muniment check', () => {
    beforeEach(threeDays);
    // What is found wrong is looked at three times.
    afterEach(async () => {
      await events().deleteMany({ oid: uuid(oid) });
      await on.connection.collection<StoredChain>('audit_chains').deleteOne({ _id: oid });
    });
    const events = () => on.connection.collection('audit_events');
    const closedDays = () => on.connection.collection('audit_days');

    it('tells of one flipped byte in a file', async () => {
      const bytes = await readFile(fileOf(1));
      bytes[bytes.length - 12] = (bytes[bytes.length - 12] ?? 0) ^ 1;
      await writeFile(fileOf(1), bytes);
      expect(await fields()).toContain('SHA-256 of the file');
    });

    it('tells of a file that was written anew with its record', async () => {
      const text = gunzipSync(await readFile(fileOf(1)))
        .toString()
        .replace('updateOrg', 'deleteOrg');
      const bytes = gzipSync(text);
      await writeFile(fileOf(1), bytes);
      const set = { 'file.hash': sha256(bytes), 'file.size': bytes.length };
      await closedDays().updateOne({ oid: uuid(oid), day: dayText(1) }, { $set: set });
      expect(await fields()).toEqual(['digest', 'lines in the database']);
    });

    it('tells of a file that is gone', async () => {
      await rm(fileOf(0));
      expect(await fields()).toEqual(['file']);
    });

    it('tells of a deleted line', async () => {
      await events().deleteOne({ oid: uuid(oid), at: at(1, 3) });
      expect(await fields()).toEqual(['lines in the database']);
    });

    it('tells of a changed line', async () => {
      await events().updateOne({ oid: uuid(oid), at: at(1, 3) }, { $set: { outcome: 'refused' } });
      expect(await found()).toMatchObject([
        { id: `${oid}/${dayText(1)}`, field: 'lines in the database', stored: 'others' },
      ]);
    });

    it('tells of a line added to a day that is closed, and to one that had none', async () => {
      await lines(at(0, 5));
      expect(await fields()).toEqual(['lines in the database']);
      await events().deleteOne({ oid: uuid(oid), at: at(0, 5) });
      await lines(at(2, 5));
      expect(await found()).toMatchObject([{ id: `${oid}/${dayText(3)}`, field: 'lines before the day' }]);
    });

    it.each([0, 1, 3])('tells of day %i, removed with its file and lines', async (day) => {
      await closedDays().deleteOne({ oid: uuid(oid), day: dayText(day) });
      await events().deleteMany({ oid: uuid(oid), at: { $gte: at(day, 0), $lt: at(day, 24) } });
      await rm(fileOf(day));
      expect((await fields()).length).toBeGreaterThan(0);
    });
  });
});

describe('the end of retention', () => {
  let on: AppUnderTest;
  let oid: string;
  const KEPT = 10;
  const start = Date.UTC(2020, 10, 22);
  const at = (day: number, hour = 1): Date => new Date(start + days(day) + hours(hour));
  const dayText = (day: number): string => at(day).toISOString().slice(0, 10);
  const chains = () => on.connection.collection<StoredChain>('audit_chains');

  beforeAll(async () => {
    on = await startApp({ env: { AUDIT_RETENTION_DAYS: String(KEPT) } });
    oid = await anOrg(on);
    await on.connection.collection('audit_events').deleteMany({});
    const moments = Array.from({ length: 8 }, (_, day) => at(day));
    await storeLines(
      on,
      moments.flatMap((moment) => [{ oid, at: moment }, { at: moment }]),
    );
  });
  afterAll(() => on.close());

  async function lookAt(day: number): Promise<void> {
    on.clock.set(at(day, 2));
    const closing = on.app.get(DayClosing, { strict: false });
    await closing.findChains();
    await closing.drain();
  }
  const ofOrg = async () => (await (await on.admin()).get(`/orgs/${oid}/audit/days`)).body;
  async function found(): Promise<string[]> {
    const all: string[] = [];
    await on.app.get(LedgerChecks, { strict: false }).check(({ oid: of, field }) => {
      if (of === oid) all.push(field);
    });
    return all;
  }

  it('cuts days with their lines and files, behind a signed checkpoint', async () => {
    await lookAt(8);
    const before = await ofOrg();
    expect(before.items).toHaveLength(8);
    await lookAt(KEPT + 3);
    const { items, checkpoint } = await ofOrg();
    expect(items.map(({ day }: { day: string }) => day)).toEqual([7, 6, 5, 4, 3].map(dayText));
    const last = before.items.find(({ day }: { day: string }) => day === dayText(2));
    expect(checkpoint).toMatchObject({ day: dayText(2), digest: last.digest });
    expect(items.at(-1).previous).toBe(checkpoint.digest);
    const events = on.connection.collection('audit_events');
    expect(await events.countDocuments({ at: { $lt: at(3, 0) } })).toBe(0);
    expect(await events.countDocuments({ at: { $lt: at(8, 0) } })).toBe(10);
    expect(await found()).toEqual([]);
    expect((await violations(on)).filter(({ subject }) => subject !== 'object')).toEqual([]);
    const { FileRemover } = await import('../../../src/objects/file-remover.js');
    await on.app.get(FileRemover, { strict: false }).drain();
    await expect(readFile(path.join(on.dataDir, 'storage', oid, 'audit', `${dayText(2)}.jsonl.gz`))).rejects.toThrow(
      'ENOENT',
    );
    expect(await violations(on)).toEqual([]);
  });

  it('is verified with the published key', async () => {
    const { checkpoint } = await ofOrg();
    const published = (await (await fetch(`${on.baseUrl}/.well-known/muniment-keys.json`)).json()) as {
      keys: { id: string; publicKey: string }[];
    };
    const { createPublicKey, verify } = await import('node:crypto');
    const der = Buffer.from(published.keys.find(({ id }) => id === checkpoint.keyId)?.publicKey ?? '', 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const signature = Buffer.from(checkpoint.signature as string, 'base64');
    const text = Buffer.from(checkpoint.text as string);
    expect(verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
    expect(checkpoint.text).toContain(`\n${oid}\n${dayText(2)}\n`);
  });

  it('believes no checkpoint that was made later, or belongs to another chain', async () => {
    const own = await chains().findOne({ _id: oid });
    const system = await chains().findOne({ _id: 'system' });
    const forge = (checkpoint: object) => chains().updateOne({ _id: oid }, { $set: { checkpoint } as never });
    const stored = own?.checkpoint;
    // Somebody has removed one more day, and says that it was cut.
    const day = await on.connection.collection('audit_days').findOneAndDelete({ oid: uuid(oid), day: dayText(3) });
    await forge({ ...stored, day: dayText(3), digest: day?.['digest'] as string });
    expect(await found()).toContain('signed checkpoint');
    await on.connection.collection('audit_days').insertOne(day as never);
    await forge(system?.checkpoint ?? {});
    expect(await found()).toContain('signed checkpoint');
    await forge(stored ?? {});
    expect(await found()).toEqual([]);
  });

  it('completes a cut that was begun', async () => {
    const own = await chains().findOne({ _id: oid });
    const kept = await ofOrg();
    await lookAt(KEPT + 3);
    const { AuditRetention } = await import('../../../src/ledger/audit-retention.js');
    const retention = on.app.get(AuditRetention, { strict: false }) as unknown as { remove: () => Promise<void> };
    const real = retention.remove.bind(retention);
    retention.remove = () => Promise.reject(new Error('killed'));
    await lookAt(KEPT + 5);
    retention.remove = real;
    expect((await ofOrg()).items).toHaveLength(kept.items.length as number);
    expect((await ofOrg()).checkpoint.day).not.toBe(own?.checkpoint.day);
    expect(await found()).toEqual([]);
    on.clock.advance(hours(1));
    await on.app.get(DayClosing, { strict: false }).drain();
    expect((await ofOrg()).items.map(({ day }: { day: string }) => day)).toEqual([7, 6, 5].map(dayText));
    expect(await found()).toEqual([]);
  });
});
