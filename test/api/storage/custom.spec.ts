import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startS3Server } from '../../support/s3-server.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

const server = await startS3Server();
afterAll(() => server?.stop());

const body = (more: object = {}) => ({
  name: 'Our Bucket',
  access_key: server?.accessKey,
  secret_key: server?.secretKey,
  endpoint_url: server?.url ?? 'http://127.0.0.1:9',
  bucket: server?.bucket ?? 'b',
  ...more,
});

if (server) {
  describe("storages of orgs' own", () => {
    let app: AppUnderTest;
    let api: ApiClient;
    let oid: string;

    beforeAll(async () => {
      app = await startApp({
        today: true,
        env: { CUSTOM_STORAGES_ENABLED: 'true', ALLOW_PRIVATE_ADDRESSES: 'storages' },
      });
      api = await app.admin();
      oid = await app.defaultOrgId();
    });
    afterAll(() => app.close());

    it('are verified, used and kept as long as they hold files', async () => {
      const wrong = await api.post(`/orgs/${oid}/customStorage`, body({ secret_key: 'wrong' }));
      expect([wrong.status, wrong.body]).toEqual([
        400,
        { detail: 'Could not verify custom storage. Check credentials are valid?' },
      ]);
      const added = await api.post(`/orgs/${oid}/customStorage`, body());
      expect([added.status, added.body]).toEqual([200, { added: true, name: '!our-bucket' }]);
      expect((await api.post(`/orgs/${oid}/customStorage`, body())).body).toEqual({ detail: 'storage_already_exists' });
      const ref = { name: 'our-bucket', custom: true };
      expect((await api.get(`/orgs/${oid}/allStorages`)).body).toEqual([{ name: 'default', custom: false }, ref]);

      const unknown = { storage: { name: 'nope', custom: true } };
      expect((await api.post(`/orgs/${oid}/storage`, unknown)).body).toEqual({ detail: 'invalid_storage_ref' });
      expect((await api.post(`/orgs/${oid}/storage`, { storage: ref })).body).toEqual({ updated: true });
      const raw = new Uint8Array(await waczOf(['https://a.example/']));
      const { id } = (await api.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename: 'a.wacz' }, raw }))
        .body;
      await app.app.get(JobWorker).drain();
      const item = (await api.get(`/orgs/${oid}/uploads/${id}/replay.json`)).body;
      expect(item).toMatchObject({ state: 'complete', pageCount: 1 });
      expect(item.resources[0].path).toMatch(new RegExp(`^${server.url}${server.bucket}/uploads/upload-`));
      expect((await fetch(item.resources[0].path)).status).toBe(200);

      const remove = () => api.delete(`/orgs/${oid}/customStorage/!our-bucket`);
      expect((await remove()).body).toEqual({ detail: 'storage_in_use' });
      const local = { storage: { name: 'default', custom: false }, storageReplicas: [ref] };
      await api.post(`/orgs/${oid}/storage`, local);
      expect((await remove()).body).toEqual({ detail: 'storage_in_use' });
      await api.post(`/orgs/${oid}/storage`, { storage: local.storage });
      expect((await remove()).body).toEqual({ detail: 'storage_in_use' });
      await api.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: [id] });
      expect((await remove()).body).toEqual({ deleted: true });
      expect((await remove()).body).toEqual({ detail: 'no_such_storage' });
    });

    it('are kept as long as a seed file is in them or a crawl writes there', async () => {
      await api.post(`/orgs/${oid}/customStorage`, body());
      const use = (name: string, custom: boolean) => api.post(`/orgs/${oid}/storage`, { storage: { name, custom } });
      const remove = async () => (await api.delete(`/orgs/${oid}/customStorage/!our-bucket`)).body;

      await use('our-bucket', true);
      const raw = Buffer.from('https://a.example/');
      const files = `/orgs/${oid}/files`;
      const seedFile = (await api.call('PUT', `${files}/seedFile`, { query: { filename: 'seeds.txt' }, raw })).body;
      await use('default', false);
      expect(await remove()).toEqual({ detail: 'storage_in_use' });
      expect((await api.delete(`${files}/${seedFile.id}`)).status).toBe(200);

      await use('our-bucket', true);
      const stage = await CrawlStage.of(app);
      stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 });
      const crawlId = await stage.aCrawl();
      await use('default', false);
      expect(await remove()).toEqual({ detail: 'storage_in_use' });
      await api.post(`/orgs/${oid}/crawls/${crawlId}/cancel`);
      await stage.until(crawlId, 'canceled');
      expect(await remove()).toEqual({ deleted: true });
    });

    it('never show credentials', async () => {
      await api.post(`/orgs/${oid}/customStorage`, body({ name: 'other' }));
      const org = JSON.stringify((await api.get(`/orgs/${oid}`)).body);
      expect(org).not.toContain(server.secretKey);
      expect((await api.delete(`/orgs/${oid}/customStorage/other`)).body).toEqual({ deleted: true });
    });
  });
}

describe('a deployment', () => {
  it('refuses private addresses as storages unless they are allowed', async () => {
    const app = await startApp({ today: true, env: { CUSTOM_STORAGES_ENABLED: 'true' } });
    try {
      const path = `/orgs/${await app.defaultOrgId()}/customStorage`;
      for (const endpoint_url of [body().endpoint_url, 'http://localhost:9/', 'http://169.254.169.254/']) {
        const answer = await (await app.admin()).post(path, body({ endpoint_url }));
        expect(answer.body.detail).toMatch(/^Could not verify/);
      }
    } finally {
      await app.close();
    }
  });

  it('has no such routes unless they are switched on, and does not start without a storage that is in use', async () => {
    const app = await startApp();
    const folder = await mkdtemp(join(tmpdir(), 'muniment-storages-'));
    try {
      const oid = await app.defaultOrgId();
      const api = await app.admin();
      expect((await api.post(`/orgs/${oid}/customStorage`, body())).status).toBe(404);
      expect((await api.post(`/orgs/${oid}/storage`, {})).status).toBe(405);
      const other = { name: 'other', access_key: 'a', secret_key: 's', endpoint_url: 'https://s3.example/bucket/' };
      await writeFile(join(folder, 'storages.json'), JSON.stringify([other]));
      const env = { STORAGES_JSON: join(folder, 'storages.json') };
      const connected = () => mongoose.connections.filter(({ readyState }) => readyState !== 0).length;
      const before = connected();
      await expect(startApp({ today: true, env, like: app })).rejects.toThrow(
        'STORAGES_JSON lacks storages that orgs use: default',
      );
      // Nothing of it keeps the process alive.
      expect(connected()).toBe(before);
    } finally {
      await app.close();
      await rm(folder, { recursive: true });
    }
  });
});
