import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupJob } from '../../../src/backup/backup-job.js';
import { RehearsalFailed, RehearsalJob } from '../../../src/backup/rehearsal-job.js';
import type { Job } from '../../../src/jobs/data/job.schema.js';
import { minutes } from '../../../src/common/units/durations.js';
import { BackupTarget } from '../../../src/backup/target/backup-target.js';
import { BackupStateRepository } from '../../../src/backup/data/backup-state.repository.js';
import { FileRemover } from '../../../src/objects/file-remover.js';
import { manifestOf, toBytes } from '../../../src/backup/target/manifest.js';
import { Storages } from '../../../src/storage/storages.js';
import { anItem } from '../../support/archive.js';
import { ROOT } from '../../support/product.js';
import { BackupStage, type Place } from '../../support/backup-stage.js';
import { cli } from '../../support/cli.js';
import { startApp } from '../../support/start-app.js';
import { recovered, violations } from '../../support/invariants.js';

describe('backups', () => {
  let stage: BackupStage;
  let target: string;

  beforeAll(async () => {
    stage = await BackupStage.open();
    target = stage.target('plain');
  });
  afterAll(() => stage.close());

  const restore = (place: Place, source: string, ...argv: string[]) => cli(['restore', source, ...argv], place.env);
  const isUntouched = async ({ connection }: Place) => (await connection.db!.listCollections().toArray()).length === 0;

  it('hold the archive of one moment, whatever changes meanwhile', async () => {
    const api = await stage.on.admin();
    let goesOn = true;
    const changes = (async () => {
      for (let n = 0; goesOn; n += 1) {
        const id = await stage.upload(api, `busy${String(n)}`);
        if (n % 2) await api.post(`/orgs/${stage.oid}/uploads/delete`, { crawl_ids: [id] });
      }
    })();
    const made = await stage.backup(target);
    goesOn = false;
    await changes;
    expect(made).toMatchObject({ code: 0, complained: '' });
    const rehearsed = await cli(['backup', 'rehearse', target], stage.env);
    expect(rehearsed).toMatchObject({ code: 0, complained: '' });
    expect(rehearsed.printed).toMatch(/0 violations, 0 objects missing/);
  });

  it('copy nothing twice, are sealed, and restore to the same answers, objects and secrets', async () => {
    const [sealed, keyFile] = [stage.target('sealed'), await stage.keyFile()];
    const key = ['--key-file', keyFile];
    await recovered(stage.on);
    await stage.backup(sealed, ...key);
    await stage.upload(await stage.on.admin(), 'late');
    await recovered(stage.on);
    const second = await stage.backup(sealed, ...key);
    expect(second).toMatchObject({ code: 0, complained: '' });
    expect(second.printed).toMatch(/ 1 objects \(\d+ bytes\) copied now/);
    const [answers, objects] = [await stage.answers(stage.on), await stage.objects(stage.on.dataDir)];
    await expectSealed(sealed);

    const place = await stage.place();
    for (const [argv, complaint] of [
      [['--key-file', await stage.keyFile('other')], 'another key'],
      [[], 'are encrypted'],
    ] as const)
      expect((await restore(place, sealed, ...argv)).complained).toContain(complaint);
    const restored = await restore(place, sealed, ...key);
    expect(restored).toMatchObject({ code: 0, complained: '' });
    expect(restored.printed).toMatch(/checked: \d+ orgs/);
    expect(await passwordSecretIn(place.env['DATA_DIR'])).toBe(await passwordSecretIn(stage.on.dataDir));
    const again = await startApp({ env: place.env });
    try {
      expect(await stage.answers(again)).toEqual(answers);
      expect(await stage.objects(place.env['DATA_DIR'] ?? '')).toEqual(objects);
      expect(await violations(again)).toEqual([]);
    } finally {
      await again.stop();
    }
    expect((await restore(place, sealed, ...key)).complained).toContain('of its own');
  });

  /** Neither a name nor the beginning of a file tells anything. */
  async function expectSealed(folder: string): Promise<void> {
    const digest = (await stage.on.connection.collection('crawls').findOne({ fileCount: 1 }))?.['files'][0].hash;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      expect(entry.name).not.toContain(digest);
      if (!entry.isFile() || entry.name === 'muniment-backup.json') continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect(bytes.subarray(0, 8).toString('latin1')).toBe('MUNBAK01');
    }
  }

  const passwordSecretIn = async (dataDir = ''): Promise<unknown> =>
    (JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, unknown>)['passwordSecret'];

  it('are refused where they are torn, of another program or of another installation, before anything changes', async () => {
    const place = await stage.place();
    const target = await BackupTarget.open(stage.target('plain'), null);
    const manifest = await target.pick(null);
    const [shard = ''] = await readdir(join(target.root, 'objects'));
    const [name = ''] = await readdir(join(target.root, 'objects', shard));
    const pages = manifest.collections.find((one) => one.name === 'pages')?.place ?? '';
    for (const torn of [pages, `objects/${shard}/${name}`, `snapshots/${manifest.id}/manifest`]) {
      const path = join(target.root, torn);
      const whole = await readFile(path);
      const flipped = Buffer.from(whole);
      flipped[flipped.length >> 1]! ^= 1;
      for (const change of [
        () => writeFile(path, flipped),
        () => rm(path),
        () => writeFile(path, whole.subarray(0, -3)),
      ]) {
        await change();
        if (torn.endsWith('manifest')) await expect(target.manifest(manifest.id)).rejects.toThrow(/changed|missing/);
        else {
          expect((await cli(['backup', 'verify', target.root, '--at', manifest.id], {})).code).toBe(1);
        }
        await writeFile(path, whole);
      }
      await writeFile(path, flipped);
      expect(await restore(place, target.root)).toMatchObject({ code: 1 });
      expect(await isUntouched(place)).toBe(true);
      await writeFile(path, whole);
    }
    await writeFile(
      join(target.root, manifestOf(manifest.id)),
      toBytes({ ...manifest, schemaVersion: '9999', program: '9.0.0' }),
    );
    const newer = await restore(place, target.root);
    expect(newer).toMatchObject({ code: 1, complained: expect.stringMatching(/9999.*upgrade it first/) });
    await writeFile(join(target.root, manifestOf(manifest.id)), toBytes(manifest));

    const away = stage.target('away');
    await mkdir(away);
    await writeFile(join(away, 'muniment-backup.json'), JSON.stringify({ format: 1, installation: 'x', key: null }));
    expect((await stage.backup(away)).complained).toContain('another installation');
    expect((await stage.backup(join(stage.on.dataDir, 'backups'))).complained).toContain('within each other');
    expect(await isUntouched(place)).toBe(true);
    expect(await cli(['backup', 'verify', target.root], {})).toMatchObject({ code: 0, complained: '' });
  });

  it('make deletions wait, and refuse each other', async () => {
    const states = stage.on.app.get(BackupStateRepository, { strict: false });
    const api = await stage.on.admin();
    const id = await stage.upload(api, 'doomed');
    await recovered(stage.on);
    const before = await stage.objects(stage.on.dataDir);
    const held = await states.claim();
    expect(await states.claim()).toBeNull();
    expect((await api.post(`/orgs/${stage.oid}/uploads/delete`, { crawl_ids: [id] })).status).toBe(200);
    expect(await stage.on.app.get(FileRemover, { strict: false }).drain()).toBe(0);
    expect(await stage.objects(stage.on.dataDir)).toEqual(before);
    await states.leases.giveBack([held!.lease]);
    await recovered(stage.on);
    expect((await stage.objects(stage.on.dataDir)).size).toBe(before.size - 1);
  });

  it('tell of objects that are missing, and take those of replicas and what is there', async () => {
    const store = stage.on.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });
    const item = await anItem(stage.on, stage.oid, {
      contents: { 'lost.wacz': Buffer.from('lost'), 'other.wacz': Buffer.from('as recorded') },
    });
    await store.delete(`${stage.oid}/lost.wacz`);
    await store.put(`${stage.oid}/other.wacz`, Buffer.from('not as recorded'));
    const target = stage.target('lacking');
    const made = await stage.backup(target);
    expect(made.code).toBe(1);
    expect(made.complained).toMatch(/lost\.wacz of org .*: missing in default/);
    expect(made.complained).toMatch(/other\.wacz of org .*: differs from its record in default/);
    // It counts, because everything else is in it.
    expect((await cli(['backup', 'list', target], {})).printed).toContain('2 with problems');
    await stage.on.connection.collection('crawls').deleteOne({ _id: item as never });
    await store.delete(`${stage.oid}/other.wacz`);
  });

  it('by schedule are pruned, and told by their age', async () => {
    const target = stage.target('scheduled');
    const env = { BACKUP_TARGET: target, BACKUP_SCHEDULE: '30 2 * * *', BACKUP_KEEP: '1/0/0' };
    const beside = await startApp({ like: stage.on, env: { ...env } });
    try {
      const job = beside.app.get(BackupJob, { strict: false });
      expect(job.cron).toBe('30 2 * * *');
      const run = async () => {
        const lines: string[] = [];
        const log = (line: string) => Promise.resolve(void lines.push(line));
        await job.run({} as Job, { signal: new AbortController().signal, log });
        return lines.join('\n');
      };
      expect(await run()).toContain('0 backups and 0 objects are deleted');
      const doomed = await stage.upload(await stage.on.admin(), 'pruned');
      await recovered(stage.on);
      expect(await run()).toContain('1 backups and 0 objects are deleted');
      await (await stage.on.admin()).post(`/orgs/${stage.oid}/uploads/delete`, { crawl_ids: [doomed] });
      await recovered(stage.on);
      expect(await run()).toContain('1 backups and 1 objects are deleted');
      expect(await (await BackupTarget.open(target, null)).ids()).toHaveLength(1);
      expect(await cli(['backup', 'verify', target], {})).toMatchObject({ code: 0, complained: '' });
      const state = await stage.on.connection.collection('backup_state').findOne({});
      expect(Date.now() - (state?.['lastTaken'] as Date).getTime()).toBeLessThan(minutes(5));
    } finally {
      await beside.stop();
    }
  });

  it('are restored for a trial by schedule, which leaves nothing and is told by its age', async () => {
    const [target, scratch] = [stage.target('trials'), stage.target('scratch')];
    const env = { BACKUP_TARGET: target, BACKUP_REHEARSAL_SCHEDULE: '0 4 * * 0', BACKUP_REHEARSAL_FOLDER: scratch };
    await recovered(stage.on);
    expect(await stage.backup(target)).toMatchObject({ code: 0 });
    const beside = await startApp({ like: stage.on, env: { ...env } });
    const before = { ...process.env };
    // The job's own process has the settings of the service.
    Object.assign(process.env, stage.env, { MONGO_DB_URL: before['MUNIMENT_TEST_MONGO_URL'] });
    const left = `${stage.on.connection.name.slice(0, 40)}_rehearsal_scheduled`;
    const databases = async () =>
      (await stage.on.connection.db!.admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name);
    const rehearsed = async () =>
      (await stage.on.connection.collection('backup_state').findOne({}))?.['lastRehearsed'] as Date | null | undefined;
    try {
      const job = beside.app.get(RehearsalJob, { strict: false });
      expect(job.cron).toBe('0 4 * * 0');
      const lines: string[] = [];
      const log = (line: string) => Promise.resolve(void lines.push(line));
      const run = () => job.run({} as Job, { signal: new AbortController().signal, log });
      // What a rehearsal that was killed has left.
      await stage.on.connection.useDb(left).collection('crawls').insertOne({ of: 'an earlier one' });
      await mkdir(join(scratch, 'muniment-rehearsal-scheduled', 'storage'), { recursive: true });
      await run();
      expect(lines.join('\n')).toMatch(/0 violations, 0 objects missing/);
      expect(await rehearsed()).toEqual(beside.clock.now());
      expect(await databases()).not.toContain(left);
      expect(await readdir(scratch)).toEqual([]);

      const at = await rehearsed();
      const objects = join(target, 'objects');
      await rename(objects, `${objects}-away`);
      await expect(run()).rejects.toThrow(RehearsalFailed);
      expect(await rehearsed()).toEqual(at);
      expect(await databases()).not.toContain(left);
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
      await beside.stop();
    }
  });

  describe('that are killed', () => {
    const killed = async (at: readonly string[], argv: readonly string[], env: Record<string, string>) => {
      const child = spawn(process.execPath, [join(ROOT, 'test/support/backup-child.mjs'), ...at, '--', ...argv], {
        env: { PATH: process.env['PATH'], MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'], ...env },
        stdio: 'ignore',
      });
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      expect(signal).toBe('SIGKILL');
    };
    /** The lease of a dead process ends; nobody has to wait for it here. */
    const leaseOver = () =>
      stage.on.connection.collection('backup_state').updateMany({}, { $set: { leaseUntil: new Date(0) } });

    it('leave the earlier ones whole, and the next run clears up', async () => {
      const target = stage.target('killed');
      await stage.backup(target);
      const [first] = await (await BackupTarget.open(target, null)).ids();
      await stage.upload(await stage.on.admin(), 'between');
      for (const at of [
        ['backup/target/target-files.js', 'TargetFiles', 'write', '3'],
        ['backup/target/backup-target.js', 'BackupTarget', 'complete', '1'],
      ]) {
        await killed(at, ['backup', target], stage.env);
        expect(await (await BackupTarget.open(target, null)).ids()).toEqual([first]);
        expect(await cli(['backup', 'verify', target], {})).toMatchObject({ code: 0, complained: '' });
        await leaseOver();
      }
      const next = await stage.backup(target);
      expect(next.printed).toContain('1 backups that were cut short are cleared away.');
      expect((await readdir(join(target, 'snapshots'))).length).toBe(2);
      expect(await readdir(join(target, 'drafts'))).toEqual([]);
    });

    it('in a restore are run again, and no service starts before', async () => {
      const place = await stage.place();
      const source = stage.target('killed');
      for (const at of [
        ['storage/object-store.js', 'ObjectStore', 'put', '2'],
        ['backup/data/restored-database.repository.js', 'RestoredDatabaseRepository', 'insert', '5'],
      ]) {
        await killed(at, ['restore', source], place.env);
        expect(await isUntouched(place)).toBe(false);
      }
      await expect(startApp({ env: place.env })).rejects.toThrow('was interrupted');
      expect((await cli(['check'], place.env)).complained).toContain('was interrupted');
      expect(await restore(place, source)).toMatchObject({ code: 0, complained: '' });
    });
  });
});
