import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_FRUITLESS } from '../../../src/drivers/local/exits.js';
import { identify } from '../../../src/drivers/local/processes.js';
import { newRecord } from '../../../src/drivers/local/run/run-record.js';
import { StorageFull } from '../../../src/storage/storage.errors.js';
import { eventually } from '../../support/eventually.js';
import { LocalDriverUnderTest } from '../../support/local-driver.js';

describe('the local driver and what can go wrong', () => {
  let t: LocalDriverUnderTest;

  beforeEach(async () => {
    t = await LocalDriverUnderTest.open();
  });

  afterEach(() => t.close());

  it('goes on from the directory after a restart of the service: no page twice, no event lost', async () => {
    const spec = t.job('pages=12&ms=200');
    await t.until(spec, ({ done }) => done >= 3, { drain: false });
    await t.driver.close();
    await t.reopen();
    expect(await t.driver.list()).toEqual([spec.jobId]);
    expect((await t.driver.observe(spec.jobId)).exists).toBe(true);
    await t.over(spec, 'done');
    expect(t.pages).toHaveLength(12);
    expect(new Set(t.pages.map(({ url }) => url)).size).toBe(12);
    const seqs = t.events.flatMap((event) => ('seq' in event ? [event.seq] : []));
    expect(new Set(seqs).size).toBe(seqs.length);
  });

  it('hands a file over again, but stores it once, when the service dies before the ack', async () => {
    const spec = t.job('pages=2');
    await t.until(spec, ({ instances }) => instances[0]?.status === 'uploading-wacz', { drain: false });
    const first = await eventually(async () => {
      const { events } = await t.driver.drain(spec.jobId, 50);
      const file = events.find((event) => event.type === 'file');
      if (!file) throw new Error('no file yet');
      return file;
    });
    await t.driver.close();
    await t.reopen();
    await t.over(spec, 'done');
    expect(t.files).toEqual([first]);
    expect(t.store.writes).toBe(1);
  });

  it.each([
    [10, 'browser crashed'],
    [137, 'out of memory'],
    [1, 'generic error'],
  ])('restarts after exit code %d (%s) with backoff and finishes', async (code) => {
    const spec = t.job(`pages=6&crash=${String(code)}`, { browserWindows: 1 });
    const seen = await t.until(spec, ({ instances }) => instances[0]?.phase === 'backoff');
    expect(seen.instances[0]).toMatchObject({
      exitCode: code,
      status: 'interrupted',
      ...(code === 137 ? { oom: true } : {}),
    });
    t.clock.advance(9_000);
    await t.driver.ensure(spec, 1, {});
    expect((await t.driver.observe(spec.jobId)).instances[0]?.phase).toBe('backoff');
    t.clock.advance(2_000);
    await t.over(spec, 'done');
    expect(new Set(t.pages.map(({ url }) => url)).size).toBe(6);
  });

  it('does not restart what was refused or failed', async () => {
    const [refused, failed] = [t.job('refuse=1'), t.job('pages=2&fail=1')];
    expect((await t.over(refused, 'failed')).instances[0]?.exitCode).toBe(4);
    expect((await t.over(failed, 'failed')).instances[0]?.exitCode).toBe(9);
    t.clock.advance(600_000);
    await t.driver.ensure(refused, 1, {});
    expect((await t.driver.observe(refused.jobId)).instances[0]?.phase).toBe('exited');
  });

  it.each([
    ['has failed when none came to a page', 'dead=10', 'failed', 0, 1],
    ['is packed when there are pages', 'pages=6&crash=10&always=1', 'done', 1, 1],
    ['has failed when its pages cannot be packed either', 'pages=6&crash=10&always=1&packs=0', 'failed', 1, 2],
  ])('a crawl whose crawler dies at every start %s', async (_what, script, status, pages, rounds) => {
    const spec = t.job(script, { browserWindows: 1 });
    let starts = 0;
    const seen = await eventually(
      async () => {
        await t.driver.ensure(spec, 1, {});
        const [instance] = (await t.driver.observe(spec.jobId)).instances;
        await t.take(spec);
        if (instance?.phase === 'exited' && instance.status === status) return instance;
        if (instance?.phase === 'backoff') {
          starts += 1;
          t.clock.advance(300_000);
        }
        throw new Error(`not yet: ${JSON.stringify(instance)}`);
      },
      120_000,
      20,
    );
    expect(seen.exitCode).toBe(status === 'done' ? 0 : 9);
    expect(t.pages).toHaveLength(pages);
    expect(starts).toBeLessThanOrEqual(rounds * (MAX_FRUITLESS + 1));
    expect(t.errorLines.filter((line) => line.includes('died at every start'))).toHaveLength(rounds);
  });

  it('gives up on a profile that is not there, with an error line for each of a bounded number of tries', async () => {
    const spec = t.job('pages=2', { profile: { key: 'profiles/gone.tar.gz', save: false } });
    const seen = await eventually(
      async () => {
        await t.driver.ensure(spec, 1, {});
        const [instance] = (await t.driver.observe(spec.jobId)).instances;
        await t.take(spec);
        if (instance?.phase === 'exited') return instance;
        if (instance?.phase === 'backoff') t.clock.advance(300_000);
        throw new Error(`not yet: ${JSON.stringify(instance)}`);
      },
      120_000,
      20,
    );
    expect(seen).toMatchObject({ status: 'failed', exitCode: 9 });
    expect(t.errorLines.filter((line) => line.includes('browser profile could not be read'))).toHaveLength(
      MAX_FRUITLESS,
    );
  });

  it('fails a crawl whose proxy cannot be reached by ssh, after some tries, and says why at each', async () => {
    const proxy = { id: 'nl', url: 'ssh://proxy@127.0.0.1:9', hasPrivateKey: true, hasHostKey: true };
    const keys = { sshPrivateKey: 'the key of the proxy', sshHostKey: 'ssh-ed25519 AAAA' };
    const spec = t.job('pages=2', { proxy: { ...proxy, ...keys } });
    const seen = await t.until(
      spec,
      ({ instances: [first] }) => {
        if (first?.phase === 'backoff') t.clock.advance(300_000);
        return first?.phase === 'exited';
      },
      { boundMs: 120_000 },
    );
    expect(seen.instances[0]).toMatchObject({ status: 'failed', exitCode: 9 });
    await t.take(spec);
    const lines = t.errorLines.map((line) => JSON.parse(line) as { message: string; details: { error?: string } });
    expect(lines).toHaveLength(MAX_FRUITLESS + 1);
    for (const { message } of lines) expect(message).toContain('The proxy could not be reached');
    // What ssh says where there is one, and that there is none otherwise.
    for (const { details } of lines.slice(0, -1)) expect(details.error).toMatch(/refused|install openssh-client/);
    expect(lines.at(-1)?.message).toContain('however often it was tried');
    for (const folder of [t.dir(spec), join(t.dataDir, 'work', '.driver')])
      for (const name of await readdir(folder, { recursive: true }))
        expect(await readFile(join(folder, name), 'utf8').catch(() => '')).not.toContain(keys.sshPrivateKey);
  });

  it('leaves no key of a proxy on the disk for longer than until its next start', async () => {
    const spec = t.job('pages=30&ms=200');
    await t.until(spec, ({ done }) => done >= 2);
    await t.driver.close();
    // As a service leaves it that is killed while ssh is at its handshake.
    const folder = join(t.dataDir, 'work', '.driver', 'tunnel-Xy12Zw');
    await mkdir(folder);
    await writeFile(join(folder, 'private-key'), 'the key of the proxy');
    await t.reopen();
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    await t.over(spec, 'done');
  });

  it('packs what is there when a stop comes while no child runs', async () => {
    const spec = t.job('pages=6&crash=10', { browserWindows: 1 });
    await t.until(spec, ({ instances }) => instances[0]?.phase === 'backoff');
    expect(await t.driver.requestStop(spec.jobId)).toBe('ok');
    t.clock.advance(11_000);
    await t.over(spec, 'done');
    expect(t.pages).toHaveLength(1);
    expect(t.files).toHaveLength(1);
  });

  it('keeps a pause that was asked for before a restart', async () => {
    const spec = t.job('pages=30&ms=200');
    await t.until(spec, ({ done }) => done >= 2);
    await t.driver.close();
    await t.reopen();
    expect(await t.driver.pause(spec.jobId)).toBe('ok');
    await t.over(spec, 'interrupted');
    expect(t.files).toHaveLength(1);
    await t.driver.close();
    await t.reopen();
    expect((await t.driver.observe(spec.jobId)).instances[0]).toMatchObject({
      phase: 'exited',
      status: 'interrupted',
      exitCode: 0,
    });
    t.clock.advance(7 * 86_400_000);
    expect(await t.driver.clearPause(spec.jobId)).toBe('ok');
    await t.over(spec, 'done');
    expect(new Set(t.pages.map(({ url }) => url)).size).toBe(30);
    expect(t.pages).toHaveLength(30);
  });

  it('kills a child that does not answer a cancel', async () => {
    const spec = t.job('pages=500&ms=100&silent=1');
    await t.until(spec, ({ done }) => done >= 1);
    await t.driver.cancel(spec.jobId);
    expect((await t.over(spec, 'canceled')).instances[0]?.exitCode).toBe(0);
    expect(t.files).toEqual([]);
  });

  it('takes back what it stored for a crawl that is cancelled before it was registered', async () => {
    const spec = t.job('pages=500&ms=150&segment=2');
    await t.until(spec, () => t.store.objects.size > 0, { drain: false });
    await t.driver.cancel(spec.jobId);
    await t.over(spec, 'canceled');
    expect(t.files).toEqual([]);
    expect(t.store.objects.size).toBe(0);
    expect(await readdir(t.dir(spec))).toEqual([]);
  });

  it.each(['badhash=1', 'badsize=1', 'badsize=-1'])('never registers a file with %s', async (lie) => {
    const spec = t.job(`pages=2&${lie}`);
    await t.over(spec, 'done');
    expect(t.files).toEqual([]);
    expect(t.store.objects.size).toBe(0);
    expect(t.errorLines.join()).toContain('damaged on disk');
  });

  it('says once that the object store is full, keeps the file and tries again', async () => {
    const spec = t.job('pages=2');
    t.store.failing = new StorageFull('full');
    await t.until(spec, () => t.errorLines.length > 0);
    expect(t.errorLines[0]).toContain('The object store is full');
    for (let i = 0; i < 5; i += 1) {
      t.clock.advance(60_000);
      await t.driver.ensure(spec, 1, {});
      await t.take(spec);
    }
    expect(t.errorLines).toHaveLength(1);
    t.store.failing = undefined;
    await eventually(async () => {
      t.clock.advance(60_000);
      await t.driver.ensure(spec, 1, {});
      await t.take(spec);
      expect(t.files).toHaveLength(1);
    });
    await t.over(spec, 'done');
  });

  it('holds a crawl back while the store is slow, then goes on to the end', async () => {
    let open: () => void = () => undefined;
    t.store.gate = new Promise((resolve) => (open = resolve));
    const spec = t.job('pages=60&ms=100&segment=1', { browserWindows: 1 });
    const held = await t.until(
      spec,
      ({ instances }) => instances[0]?.phase === 'pending' && instances[0].exitCode === 11,
    );
    expect(held.done).toBeLessThan(60);
    open();
    await t.over(spec, 'done');
    expect(t.pages).toHaveLength(60);
    expect(t.files).toHaveLength(60);
  });

  it('counts what lies in a finished file and still in the archive folder once', async () => {
    let open: () => void = () => undefined;
    t.store.gate = new Promise((resolve) => (open = resolve));
    const spec = t.job('pages=2');
    const seen = await t.until(spec, ({ instances }) => instances[0]?.status === 'uploading-wacz');
    const before = seen.instances[0]?.pendingBytes ?? 0;
    const [name = ''] = (await readdir(t.dir(spec, 'out'))).filter((each) => each.endsWith('.json'));
    const file = JSON.parse(await readFile(t.dir(spec, 'out', name), 'utf8')) as { size: number };
    expect(before).toBe(file.size);
    await writeFile(t.dir(spec, 'out', name), JSON.stringify({ ...file, warcs: ['packed.warc.gz'] }));
    await mkdir(t.dir(spec, 'archive'), { recursive: true });
    await writeFile(t.dir(spec, 'archive', 'packed.warc.gz'), Buffer.alloc(5000));
    await writeFile(t.dir(spec, 'archive', 'open.warc.gz'), Buffer.alloc(300));
    expect((await t.driver.observe(spec.jobId)).instances[0]?.pendingBytes).toBe(file.size + 300);
    open();
    await t.over(spec, 'done');
  });

  it('gives the child no variable of the service', async () => {
    const spec = t.job('pages=1');
    await t.over(spec, 'done');
    const { env, uid } = JSON.parse(await readFile(t.dir(spec, 'environment.json'), 'utf8')) as {
      env: Record<string, string>;
      uid: number;
    };
    const known = [
      'HOME',
      'LANG',
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
      'NODE_ENV',
      'PATH',
      'TMPDIR',
      'TZ',
    ];
    expect(Object.keys(env).filter((name) => !known.includes(name))).toEqual([]);
    const mayDrop =
      process.getuid?.() === 0 && !t.logged.some((line) => 'event' in line && line.event === 'crawler_runs_as_root');
    expect(uid).toBe(mayDrop ? 201_407 : process.getuid?.());
  });

  it('uploads nothing that only claims to be a file of the job', async () => {
    const spec = t.job('pages=500&ms=200');
    await t.until(spec, ({ done }) => done >= 1);
    const secret = join(t.dataDir, 'secret');
    await writeFile(secret, 'secret');
    await symlink(secret, t.dir(spec, 'out', 'a-link.wacz'));
    await writeFile(
      t.dir(spec, 'out', 'a-link.wacz.json'),
      JSON.stringify({ kind: 'wacz', file: 'a-link.wacz', size: 6, hash: 'x', pages: 0, modified: '2020' }),
    );
    await writeFile(
      t.dir(spec, 'out', 'up.json'),
      JSON.stringify({ kind: 'wacz', file: '../../../secret', size: 6, hash: 'x', pages: 0, modified: '2020' }),
    );
    await t.until(spec, () => t.errorLines.length > 0);
    expect([...t.store.objects.values()].map(String)).not.toContain('secret');
    await t.driver.cancel(spec.jobId);
    await t.over(spec, 'canceled');
  });

  it('writes the profile back and tells its size and hash', async () => {
    const spec = t.job('pages=1&profile=1', { profile: { key: 'profiles/profile-a.tar.gz', save: true } });
    await t.store.put(`${spec.oid}/profiles/profile-a.tar.gz`, Buffer.from('old'));
    const seen = await t.over(spec, 'done');
    expect(seen.profileUpload).toMatchObject({ size: 7 });
    expect(t.store.objects.get(`${spec.oid}/profiles/profile-a.tar.gz`)?.toString()).toBe('profile');
    expect(t.files).toHaveLength(1);
  });

  it('reads a new config in the middle of a crawl', async () => {
    const spec = t.job('pages=40&ms=250');
    const before = await t.until(spec, ({ done }) => done >= 2);
    await t.driver.ensure({ ...spec, warcPrefix: 'renamed' }, 1, { restart: true });
    const after = await t.until(
      { ...spec, warcPrefix: 'renamed' },
      ({ instances: [first] }) =>
        first?.phase === 'running' && first.startedAt?.getTime() !== undefined && first.status === 'running',
    );
    expect(after.instances[0]?.startedAt).toBeDefined();
    expect(before.found).toBe(40);
    await t.over({ ...spec, warcPrefix: 'renamed' }, 'done');
    expect(JSON.parse(await readFile(t.dir(spec, 'config.json'), 'utf8'))).toMatchObject({ warcPrefix: 'renamed' });
    expect(t.pages).toHaveLength(40);
  });

  it('tells an exclusion that came while no child ran to the next one', async () => {
    const spec = t.job('pages=24&ms=300');
    await t.until(spec, ({ done }) => done >= 2);
    await t.driver.pause(spec.jobId);
    await t.over(spec, 'interrupted');
    expect(await t.driver.addExclusion(spec.jobId, 'page-23')).toBe('ok');
    await t.driver.clearPause(spec.jobId);
    await t.over(spec, 'done');
    expect(t.pages.some(({ url }) => url.includes('page-23'))).toBe(false);
  });

  it('lists directories that belong to no job, and removes them', async () => {
    await t.driver.close();
    await mkdir(join(t.dataDir, 'work', 'manual-20200101000000-leftover'), { recursive: true });
    await t.reopen();
    expect(await t.driver.list()).toEqual(['manual-20200101000000-leftover']);
    await t.driver.remove('manual-20200101000000-leftover');
    expect(await t.driver.list()).toEqual([]);
  });

  it('ends children and browsers of an earlier process, and nobody else', async () => {
    await t.driver.close();
    const idle = (...args: string[]): ChildProcess =>
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', ...args], {
        stdio: 'ignore',
        detached: true,
      });
    const work = join(t.dataDir, 'work');
    const [child, browser, stranger] = [
      idle(),
      idle(`--user-data-dir=${work}/manual-1/profile`),
      idle(`--user-data-dir=/elsewhere/profile`),
    ];
    await Promise.all([child, browser, stranger].map((each) => once(each, 'spawn')));
    const record = (jobId: string): ReturnType<typeof newRecord> =>
      newRecord({ jobId, oid: 'o', storage: { ref: { name: 'default', custom: false }, keyPrefix: 'o/' }, sinceMs: 0 });
    const identity = await identify(child.pid ?? 0);
    const reused = { pid: stranger.pid ?? 0, startTicks: '1' };
    await mkdir(join(work, '.driver'), { recursive: true });
    await writeFile(join(work, '.driver', 'manual-1.json'), JSON.stringify({ ...record('manual-1'), child: identity }));
    await writeFile(join(work, '.driver', 'manual-2.json'), JSON.stringify({ ...record('manual-2'), child: reused }));
    const gone = Promise.all([once(child, 'exit'), once(browser, 'exit')]);
    await t.reopen();
    await gone;
    expect(stranger.exitCode).toBeNull();
    stranger.kill('SIGKILL');
  });
});
