import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

import { newId } from '../../../src/common/ids/uuid.js';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { FaultyS3 } from '../../support/faulty-s3.js';
import { expectInvariants } from '../../support/invariants.js';
import { startS3Server } from '../../support/s3-server.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

const server = await startS3Server();
const suite = server ? describe : describe.skip;
const PICTURE = { width: 8, height: 8, channels: 3, background: '#29c' } as const;

suite('an object that the storage stores when nobody waits for it any longer', () => {
  let way: FaultyS3;
  let folder: string;
  let app: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  /** Lets go what is held back. */
  let release: () => void;

  beforeAll(async () => {
    way = await FaultyS3.before(server!.port);
    folder = await mkdtemp(join(tmpdir(), 'muniment-storages-'));
    const { accessKey: access_key, secretKey: secret_key, bucket } = server!;
    const main = { type: 's3', name: 'main', access_key, secret_key, endpoint_url: `${way.url}${bucket}/main/` };
    await writeFile(join(folder, 'storages.json'), JSON.stringify([main]));
    app = await startApp({
      today: true,
      env: { STORAGES_JSON: join(folder, 'storages.json'), STORAGE_TIMEOUT_SECONDS: '2' },
    });
    api = await app.admin();
    oid = await app.defaultOrgId();
  });
  afterAll(async () => {
    release?.();
    await app?.close();
    await way?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    way.held = { taken: 0, answered: 0 };
  });
  afterEach(() => {
    release();
    way.heal();
  });

  const keys = async () => {
    const { objects } = await app.app.get(Storages).resolveDefault({ name: 'main', custom: false }).list('');
    return objects.map(({ key }) => key);
  };
  const holdBack = () => {
    way.hits = ({ method }) => method === 'PUT';
    way.heldBack = new Promise<void>((resolve) => (release = resolve));
  };
  /** The storage is done with all that was held back. */
  const arrived = async () => {
    release();
    await eventually(() => expect([way.held.taken > 0, way.held.answered]).toEqual([true, way.held.taken]));
  };
  const send = (path: string, query: Record<string, string>, raw: Uint8Array) =>
    api.put(`/orgs/${oid}/${path}`, undefined, { query, raw: new Uint8Array(raw) });
  const aBrowser = async (): Promise<string> =>
    (await api.post(`/orgs/${oid}/profiles/browser`, { url: 'https://a.example/' })).body.browserid as string;

  const uploaded = async () => send('uploads/stream', { filename: 'a.wacz' }, await waczOf(['https://a.example/']));
  const seedFile = () => send('files/seedFile', { filename: 'a.txt' }, Buffer.from('https://a.example/\n'));
  const thumbnail = async () => {
    const { id } = (await api.post(`/orgs/${oid}/collections`, { name: newId() })).body;
    const source = { sourceUrl: 'https://a.example/', sourceTs: '2026-01-01T00:00:00Z', sourcePageId: newId() };
    const image = await sharp({ create: PICTURE }).png().toBuffer();
    return send(`collections/${id}/thumbnail`, { filename: 'a.png', ...source }, image);
  };
  const profile = async () => api.post(`/orgs/${oid}/profiles`, { browserid: await aBrowser(), name: 'Login' });

  it.each<[string, string, () => ReturnType<typeof seedFile>]>([
    ['an upload', 'upload_failed', uploaded],
    ['a thumbnail', 'upload_failed', thumbnail],
    ['a seed file', 'upload_failed', seedFile],
    ['a new profile', 'browser_not_valid', profile],
  ])('leaves nothing of %s', async (_what, detail, store) => {
    holdBack();
    const answer = await store();
    expect([answer.status, answer.body]).toEqual([400, { detail }]);
    await arrived();
    expect(await keys()).toHaveLength(1);
    await expectInvariants(app);
    expect(await keys()).toEqual([]);
    expect(await app.connection.collection('file_deletions').countDocuments()).toBe(0);
  });

  it('leaves nothing of a profile that was deleted meanwhile', async () => {
    const { id } = (await profile()).body;
    const browserid = await aBrowser();
    holdBack();
    expect((await api.patch(`/orgs/${oid}/profiles/${id}`, { browserid, name: 'Login' })).status).toBe(400);
    expect((await api.delete(`/orgs/${oid}/profiles/${id}`)).status).toBe(200);
    expect(await keys()).toEqual([]);
    await arrived();
    expect(await keys()).toHaveLength(1);
    await expectInvariants(app);
    expect(await keys()).toEqual([]);
  });

  it('is kept when the profile is saved again, and the plan to delete it is not', async () => {
    const browserid = await aBrowser();
    const create = () => api.post(`/orgs/${oid}/profiles`, { browserid, name: 'Login' });
    holdBack();
    expect((await create()).status).toBe(400);
    await arrived();
    way.heal();
    const made = await create();
    expect(made).toMatchObject({ status: 200, body: { added: true } });
    await expectInvariants(app);
    expect(await keys()).toEqual([`${oid}/profiles/profile-${made.body.id as string}.tar.gz`]);
    await api.delete(`/orgs/${oid}/profiles/${made.body.id as string}`);
  });
});
