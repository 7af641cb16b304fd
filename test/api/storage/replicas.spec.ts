import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { DomainEvents } from '../../../src/events/domain-events.js';
import { CronStarter } from '../../../src/jobs/cron-starter.js';
import { Fixity } from '../../../src/objects/fixity.js';
import { JobStarter } from '../../../src/jobs/job-starter.js';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { settled } from '../../support/archive.js';
import { anOrg } from '../../support/people.js';
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
      app = await startApp({ today: true, env });
      api = await app.admin();
      oid = await app.defaultOrgId();
      wacz = await waczOf(['https://a.example/']);
    });
    afterAll(async () => {
      await app?.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const settle = () => settled(app);
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

    const store = (name: string) => app.app.get(Storages).resolveDefault({ name, custom: false });
    const jobsOf = async (jobType: string, objectId: string) =>
      (await api.get(`/orgs/${oid}/jobs`, { jobType })).body.items.filter(
        (job: { object_id: string }) => job.object_id === objectId,
      );
    const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const publish: DomainEvents['publish'] = (type, payload) =>
      app.app.get(DomainEvents, { strict: false }).publish(type, payload);
    /** A file in the main storage as documents tell of it. */
    const stored = async (filename: string, bytes: Buffer) => {
      await store('main').put(filename, bytes);
      return { filename, hash: sha256(bytes), size: bytes.length, storage: { name: 'main' }, replicas: [] };
    };

    it("copies a profile's file whenever it is written anew, and deletes the copy some days after the profile", async () => {
      const profileId = newId();
      const filename = `${oid}/profiles/profile-${profileId}.tar.gz`;
      const resource = await stored(filename, Buffer.from('first state'));
      const profiles = app.connection.collection('profiles');
      const now = app.clock.now();
      await profiles.insertOne({
        ...{ _id: uuid(profileId) as never, oid: uuid(oid), userid: uuid(newId()), name: 'P', description: '' },
        ...{ origins: ['https://a.example/'], resource, created: now, modified: now, tags: [] },
      });
      await publish('profile.fileChanged', { oid, profileId });
      await settle();
      expect((await profiles.findOne({ _id: uuid(profileId) as never }))?.['resource'].replicas).toMatchObject([
        { name: 'copy' },
      ]);
      const changed = Buffer.from('second state');
      await store('main').put(filename, changed);
      await profiles.updateOne(
        { _id: uuid(profileId) as never },
        { $set: { 'resource.hash': sha256(changed), 'resource.size': changed.length } },
      );
      await publish('profile.fileChanged', { oid, profileId });
      await settle();
      expect((await store('copy').head(filename))?.size).toBe(changed.length);
      expect(await jobsOf('create-replica', profileId)).toMatchObject([{ success: true }, { success: true }]);

      // A bad copy is made anew from the original; an original that differs may be newer than its record and is kept.
      const profile = { kind: 'profile', oid, id: profileId } as const;
      const verified = async () => {
        const file = (await profiles.findOne({ _id: uuid(profileId) as never }))?.['resource'];
        return (await app.app.get(Fixity).verify({ ...profile, files: [file] })).result;
      };
      await store('copy').put(filename, Buffer.from('damaged'));
      expect([await verified(), await verified()]).toEqual(['repaired', 'ok']);
      const newer = Buffer.from('third state, not recorded yet');
      await store('main').put(filename, newer);
      expect(await verified()).toBe('damaged');
      expect((await store('main').head(filename))?.size).toBe(newer.length);
      await store('main').delete(filename);
      expect([await verified(), await verified()]).toEqual(['repaired', 'ok']);

      expect((await api.delete(`/orgs/${oid}/profiles/${profileId}`)).status).toBe(200);
      await settle();
      expect(await keysIn('main')).not.toContain(filename);
      expect(await keysIn('copy')).toContain(filename);
      const [job, ...more] = await jobsOf('delete-replica', profileId);
      expect([job, more]).toMatchObject([{ object_type: 'profile', file_path: filename, finished: null }, []]);
      app.clock.advance(2 * 24 * 60 * 60 * 1000);
      await settle();
      expect(await keysIn('copy')).not.toContain(filename);
    });

    it('shows a copy that differs from the record as a failed job with the reason, and makes it when it is retried', async () => {
      const crawlId = `manual-20201121080000-${newId().slice(0, 12)}`;
      const filename = `${oid}/${crawlId}/a.wacz`;
      const file = await stored(filename, wacz);
      const now = app.clock.now();
      await app.connection.collection('crawls').insertOne({
        ...{ _id: crawlId as never, type: 'crawl', oid: uuid(oid), cid: uuid(newId()), userid: uuid(newId()) },
        ...{ state: 'complete', started: now, finished: now, collectionIds: [], files: [file], fileSize: file.size },
      });
      await store('main').put(filename, Buffer.from('not what was archived'));
      await publish('crawl.finished', { oid, crawlId, cid: newId(), state: 'complete', fileSize: file.size });
      for (let round = 0; round < 4; round++) {
        await settle();
        app.clock.advance(60_000);
      }
      const [failed] = await jobsOf('create-replica', crawlId);
      expect(failed).toMatchObject({ success: false, error: expect.any(String), object_type: 'crawl' });
      expect(await keysIn('copy')).not.toContain(filename);
      await store('main').put(filename, wacz);
      expect((await api.post(`/orgs/${oid}/jobs/${failed.id}/retry`)).body).toEqual({ success: true });
      await settle();
      expect(await jobsOf('create-replica', crawlId)).toMatchObject([
        { id: failed.id, success: true, previousAttempts: [{ started: failed.started, finished: failed.finished }] },
      ]);
      expect((await store('copy').head(filename))?.size).toBe(wacz.length);
      // Without the file there is nothing to retry.
      await app.connection.collection('jobs').updateOne({ _id: failed.id }, { $set: { success: false } });
      await app.connection.collection('crawls').deleteOne({ _id: crawlId as never });
      expect(await api.post(`/orgs/${oid}/jobs/${failed.id}/retry`)).toMatchObject({
        status: 404,
        body: { detail: 'file_not_found' },
      });
      for (const name of ['main', 'copy']) await store(name).delete(filename);
    });

    it('deletes the copies of the files of an org that was deleted, some days later', async () => {
      const gone = await anOrg(app);
      const raw = new Uint8Array(wacz);
      await api.put(`/orgs/${gone}/uploads/stream`, undefined, { query: { filename: 'a.wacz' }, raw });
      await settle();
      const copies = async () => (await keysIn('copy')).filter((key) => key.startsWith(gone));
      expect(await copies()).toHaveLength(1);
      expect((await api.delete(`/orgs/${gone}`)).status).toBe(200);
      await settle();
      expect((await api.get(`/orgs/${gone}`)).status).toBe(404);
      expect((await keysIn('main')).filter((key) => key.startsWith(gone))).toEqual([]);
      app.clock.advance(2 * 24 * 60 * 60 * 1000);
      await settle();
      expect(await copies()).toEqual([]);
    });

    it('leaves no copy of a file that was deleted while the copy was made or before it is made again', async () => {
      const filename = `${oid}/uploads/gone.wacz`;
      await store('copy').put(filename, wacz);
      const object = { file_path: filename, object_type: 'upload', object_id: `upload-${newId()}` };
      const fields = { ...object, replica_storage: { name: 'copy', custom: false } };
      await app.app.get(JobStarter).start('create-replica', { oid, fields });
      await settle();
      expect(await jobsOf('create-replica', object.object_id)).toMatchObject([{ success: true }]);
      expect(await keysIn('copy')).not.toContain(filename);
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
      const verify = async () => {
        const found: string[] = [];
        app.clock.advance(1000);
        const now = app.clock.timestamp();
        for await (const { result } of app.app.get(Fixity).verifySince(null, now)) found.push(result);
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
      // The copies are read too, and made anew from good originals.
      await store('copy').put(first, Buffer.from('damaged'));
      await store('copy').delete(second);
      expect((await verify()).filter((result) => result !== 'ok')).toEqual(['repaired', 'repaired']);
      expect((await store('copy').head(first))?.size).toBe(good);
      expect(await keysIn('copy')).toContain(second);
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
