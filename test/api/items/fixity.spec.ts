import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { newId } from '../../../src/common/ids/uuid.js';
import { days } from '../../../src/common/units/durations.js';
import type { RecordedFile } from '../../../src/objects/data/file-owner.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Fixity } from '../../../src/objects/fixity.js';
import { FixityJob } from '../../../src/objects/fixity-job.js';
import { CronStarter } from '../../../src/jobs/cron-starter.js';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled } from '../../support/archive.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

const PICTURE = { width: 8, height: 8, channels: 3, background: '#29c' } as const;

describe('archived files and their records', () => {
  let on: AppUnderTest;
  let api: ApiClient;
  let oid: string;

  beforeAll(async () => {
    on = await startApp({ env: { FIXITY_INTERVAL_DAYS: '10', FIXITY_MAX_BYTES: '14' } });
    api = await on.admin();
    oid = await on.defaultOrgId();
  });
  afterAll(() => on.close());
  beforeEach(async () => {
    await on.connection.collection('crawls').deleteMany({});
    await on.connection.collection('jobs').deleteMany({});
  });

  const item = (name: string) =>
    anItem(on, oid, { contents: { [`${name}.wacz`]: Buffer.from(`contents of ${name}`) } });
  const pathOf = (name: string) => join(on.dataDir, 'storage', oid, `${name}.wacz`);
  const fixityOf = async (id: string) => (await api.get(`/orgs/${oid}/all-crawls/${id}`)).body.fixity;
  const verify = async () => {
    const { status, body } = await api.post(`/orgs/${oid}/all-crawls/verifyFiles`);
    expect([status, body.started]).toEqual([200, expect.stringMatching(/^verify-files-[0-9a-f]{10}$/)]);
    await settled(on);
    return (await api.get(`/orgs/${oid}/jobs/${body.started}`)).body;
  };

  it('are compared on demand; items say when and how that went', async () => {
    const [good, changed, cut, gone] = [
      await item('good'),
      await item('changed'),
      await item('cut'),
      await item('gone'),
    ];
    expect(await fixityOf(good)).toBeNull();
    expect(await verify()).toMatchObject({ type: 'verify-files', oid, success: true });
    const now = '2020-11-21T08:00:00Z';
    expect(await fixityOf(gone)).toEqual({ lastVerified: now, result: 'ok' });

    await writeFile(pathOf('changed'), 'contents of Changed');
    await writeFile(pathOf('cut'), 'contents of');
    await on.app.get(Storages).resolveDefault({ name: 'default', custom: false }).delete(`${oid}/gone.wacz`);
    on.clock.advance(days(1));
    const job = await verify();
    expect(job).toMatchObject({ success: false, error: expect.stringContaining('3 records have files') });
    const later = '2020-11-22T08:00:00Z';
    const results = await Promise.all([good, changed, cut, gone].map(fixityOf));
    expect(results).toEqual(['ok', 'damaged', 'damaged', 'missing'].map((result) => ({ lastVerified: later, result })));
    const { items } = (await api.get(`/orgs/${oid}/all-crawls`, { ids: gone })).body;
    expect(items[0].fixity).toEqual({ lastVerified: later, result: 'missing' });
    const stored = await on.connection.collection('jobs').findOne({ _id: job.id });
    const lines = (stored?.['logs'] as { message: string }[]).map(({ message }) => message);
    expect(lines).toEqual(expect.arrayContaining([`missing in default: ${oid}/gone.wacz of item ${gone}`]));
  });

  it('are compared by schedule when that was long ago, as many as one run may read', async () => {
    // Each file has 13 bytes. One file is less than a job may read, two are more.
    const ids = [await item('1'), await item('2'), await item('3')];
    const times = async () => (await Promise.all(ids.map(fixityOf))).map((fixity) => fixity?.lastVerified ?? null);
    const crons = on.app.get(CronStarter);
    const aDayLater = async () => {
      on.clock.advance(days(1));
      await crons.look();
      await settled(on);
    };
    await crons.look();
    await aDayLater();
    expect((await times()).filter((time) => time === null)).toHaveLength(1);
    await aDayLater();
    const all = await times();
    expect(all).not.toContain(null);
    await aDayLater();
    expect(await times()).toEqual(all);
    on.clock.advance(days(10));
    await aDayLater();
    expect((await times()).filter((time) => !all.includes(time))).toHaveLength(2);
  });

  it('are not compared again when a run that was interrupted goes on', async () => {
    await item('1');
    await item('2');
    on.clock.advance(days(20));
    const fixity = on.app.get(Fixity);
    const before = on.clock.timestamp();
    const seen: string[] = [];
    for await (const { id } of fixity.verifySince(oid, before)) {
      seen.push(id);
      break;
    }
    for await (const { id } of fixity.verifySince(oid, before)) seen.push(id);
    expect(new Set(seen).size).toBe(2);
    expect(seen).toHaveLength(2);
  });

  it('replaced while they are read do not make the item unwell', async () => {
    const id = await item('old');
    const read = await on.connection.collection('crawls').findOne({ _id: id as never });
    const files = [{ ...(read?.['files'] as RecordedFile[])[0]!, filename: `${oid}/older.wacz` }];
    expect(await on.app.get(Fixity).verify({ kind: 'item', oid, id, files })).toMatchObject({
      result: 'ok',
      copies: [],
    });
  });

  it('are those of seed files and thumbnails too', async () => {
    const raw = (text: string) => new TextEncoder().encode(text);
    const seedFile = await api.put(`/orgs/${oid}/files/seedFile`, undefined, {
      query: { filename: 'seeds.txt' },
      raw: raw('https://a.example/\n'),
    });
    const collection = (await api.post(`/orgs/${oid}/collections`, { name: 'Shown' })).body.id as string;
    const source = { sourceUrl: 'https://a.example/', sourceTs: '2026-01-01T00:00:00Z', sourcePageId: newId() };
    const thumbnail = await api.put(`/orgs/${oid}/collections/${collection}/thumbnail`, undefined, {
      query: { filename: 'a.png', ...source },
      raw: new Uint8Array(await sharp({ create: PICTURE }).png().toBuffer()),
    });
    expect([seedFile.status, thumbnail.status]).toEqual([200, 200]);
    on.clock.advance(days(1));
    expect(await verify()).toMatchObject({ success: true });
    const stored = await on.connection.collection('file_uploads').findOne({ oid: uuid(oid) });
    expect(stored?.['fixity']).toMatchObject({ result: 'ok' });
    const shown = (await api.get(`/orgs/${oid}/collections/${collection}`)).body.thumbnail;
    for (const key of [stored?.['filename'], shown.name])
      await writeFile(join(on.dataDir, 'storage', String(key)), 'x');
    on.clock.advance(days(1));
    expect(await verify()).toMatchObject({ success: false, error: expect.stringContaining('2 records have files') });
    await api.delete(`/orgs/${oid}/files/${seedFile.body.id as string}`);
    await api.delete(`/orgs/${oid}/collections/${collection}`);
    on.clock.advance(days(1));
    expect(await verify()).toMatchObject({ success: true });
  });

  it('may be compared by owners only', async () => {
    expect(on.app.get(FixityJob).cron).toBe('30 3 * * *');
    expect((await on.api.post(`/orgs/${oid}/all-crawls/verifyFiles`)).status).toBe(401);
  });
});
