import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CronStarter } from '../../../src/jobs/cron-starter.js';
import { Fixity } from '../../../src/items/fixity.js';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { startS3Server } from '../../support/s3-server.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

const server = await startS3Server();

if (server) {
  describe('storages of an S3 server', () => {
    let folder: string;
    let app: AppUnderTest;
    let api: ApiClient;
    let oid: string;
    let wacz: Buffer;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'muniment-storages-'));
      const keys = { access_key: server.accessKey, secret_key: server.secretKey };
      const entry = (name: string, more: object) => ({
        ...{ type: 's3', name, ...keys, endpoint_url: `${server.url}${server.bucket}/${name}/`, ...more },
      });
      const storages = [entry('main', { is_default_primary: true }), entry('copy', { is_default_replica: true })];
      await writeFile(join(folder, 'storages.json'), JSON.stringify(storages));
      const env = { STORAGES_JSON: join(folder, 'storages.json'), REPLICA_DELETION_DELAY_DAYS: '2' };
      app = await startApp({ env });
      api = await app.admin();
      oid = await app.defaultOrgId();
      wacz = await waczOf(['https://a.example/']);
    });
    afterAll(async () => {
      await app?.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const settle = () => app.app.get(JobWorker).drain();
    const keysIn = async (name: string) => {
      const { objects } = await app.app.get(Storages).resolveDefault({ name, custom: false }).list('');
      return objects.map(({ key }) => key);
    };
    const upload = (query: Record<string, string> = {}) => {
      const raw = new Uint8Array(wacz);
      return api.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename: 'a.wacz', ...query }, raw });
    };

    it('tells the storages of an org', async () => {
      const refs = { storage: { name: 'main', custom: false }, storageReplicas: [] };
      expect((await api.get(`/orgs/${oid}/storage`)).body).toEqual(refs);
      expect((await api.get(`/orgs/${oid}/allStorages`)).body).toEqual([
        { name: 'main', custom: false },
        { name: 'copy', custom: false },
      ]);
    });

    it('copies a complete upload, and deletes the copy some days after the file', async () => {
      const { id } = (await upload()).body;
      await settle();
      const { body } = await api.get(`/orgs/${oid}/uploads/${id}/replay.json`);
      expect(body.resources[0].numReplicas).toBe(1);
      const [key] = await keysIn('main');
      expect(await keysIn('copy')).toEqual([key]);
      const response = await fetch(body.resources[0].path, { headers: { Range: 'bytes=0-1' } });
      expect([response.status, await response.text()]).toEqual([206, 'PK']);

      await upload({ replaceId: id });
      await settle();
      expect(await keysIn('main')).not.toContain(key);
      expect(await keysIn('copy')).toContain(key);
      const { items } = (await api.get(`/orgs/${oid}/jobs`, { jobType: 'delete-replica' })).body;
      expect(items).toMatchObject([
        { file_path: key, object_type: 'upload', object_id: id, replica_storage: { name: 'copy' }, finished: null },
      ]);
      expect(items[0].schedule).toMatch(/^\d+ \d+ \d+ \d+ \*$/);
      app.clock.advance(2 * 24 * 60 * 60 * 1000);
      await settle();
      expect(await keysIn('copy')).not.toContain(key);
      const done = (await api.get(`/orgs/${oid}/jobs/${items[0].id}`)).body;
      expect(done).toMatchObject({ success: true, schedule: null });
    });

    it('gives new URLs once those handed out were withdrawn', async () => {
      const { id } = (await upload()).body;
      await settle();
      const url = async () =>
        (await api.get(`/orgs/${oid}/uploads/${id}/replay.json`)).body.resources[0].path as string;
      const seen = [await url(), await url()];
      expect(seen[0]).toBe(seen[1]);
      for (const path of [
        `/orgs/${oid}/clear-presigned-urls`,
        `/orgs/${oid}/clear-presigned-urls`,
        '/orgs/clear-presigned-urls',
      ]) {
        expect((await api.post(path)).body).toEqual({ success: true });
        seen.push(await url());
      }
      expect(new Set(seen).size).toBe(4);
      expect((await fetch(seen.at(-1) ?? '')).status).toBe(200);
    });

    it('finds what is damaged or missing and repairs it from the copy', async () => {
      await upload();
      await settle();
      const store = (name: string) => app.app.get(Storages).resolveDefault({ name, custom: false });
      const verify = async () => {
        const found: string[] = [];
        for await (const { result } of app.app.get(Fixity).verifyAll()) found.push(result);
        return found.sort();
      };
      const all = await verify();
      expect(new Set(all)).toEqual(new Set(['ok']));
      const [first = '', second = ''] = await keysIn('main');
      const good = (await store('main').head(first))?.size;
      await store('main').put(first, Buffer.from('damaged'));
      await store('main').delete(second);
      expect((await verify()).filter((result) => result !== 'ok')).toEqual(['repaired', 'repaired']);
      expect((await store('main').head(first))?.size).toBe(good);
      expect(new Set(await verify())).toEqual(new Set(['ok']));
      for (const name of ['main', 'copy']) await store(name).delete(second);
      expect((await verify()).filter((result) => result !== 'ok')).toEqual(['missing']);
      const stored = await app.connection.collection('crawls').findOne({ 'files.filename': second });
      expect(stored?.['fixity']).toEqual({ lastVerified: app.clock.timestamp(), result: 'missing' });
    });

    it('repairs by a job of the org, and says so in its items', async () => {
      const { id } = (await upload()).body;
      await settle();
      const detail = async () => (await api.get(`/orgs/${oid}/all-crawls/${id}`)).body;
      const { filename } = (await app.connection.collection('crawls').findOne({ _id: id }))?.['files'][0];
      const store = app.app.get(Storages).resolveDefault({ name: 'main', custom: false });
      await store.put(filename, Buffer.from('damaged'));
      app.clock.advance(60_000);
      await api.post(`/orgs/${oid}/all-crawls/verifyFiles`);
      await settle();
      expect((await detail()).fixity).toMatchObject({ result: 'repaired' });
      const { body } = await store.get(filename);
      expect(Buffer.concat(await body.toArray()).equals(wacz)).toBe(true);
    });

    it('starts a job once per firing of its schedule', async () => {
      const crons = app.app.get(CronStarter);
      const rows = () => app.connection.collection('jobs').countDocuments({ type: 'retry-stuck-uploads' });
      await crons.look();
      const before = await rows();
      app.clock.advance(60 * 60 * 1000);
      await crons.look();
      await settle();
      await crons.look();
      await settle();
      expect(await rows()).toBe(before + 1);
    });
  });
}
