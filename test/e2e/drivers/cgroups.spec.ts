import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cgroups, setLimits } from '../../../src/drivers/local/cgroups.js';
import { hardLimits } from '../../../src/drivers/local/local-settings.js';
import { eventually } from '../../support/eventually.js';
import { LocalDriverUnderTest } from '../../support/local-driver.js';

const MIB = 1024 ** 2;

/** Directories as an administrator would give them to the service; empty where this machine lets nobody make any. */
async function givenDirectories(): Promise<string[]> {
  const own = `tests-${String(process.pid)}`;
  const v1 = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup/cpu'];
  const roots = await access(`${v1[0] ?? ''}/memory.limit_in_bytes`).then(
    () => v1,
    () => ['/sys/fs/cgroup'],
  );
  const made: string[] = [];
  for (const root of roots) {
    const controllers = await readFile(join(root, 'cgroup.subtree_control'), 'utf8').catch(() => 'memory');
    if (!controllers.includes('memory')) break;
    const isMade = await mkdir(join(root, own)).then(
      () => true,
      () => false,
    );
    if (isMade) made.push(join(root, own));
  }
  return made.length === roots.length ? made : [];
}

const directories = await givenDirectories();
if (directories.length === 0) process.stderr.write('skipped: control groups, as none can be made on this machine\n');
const onGroups = directories.length > 0 ? describe : describe.skip;

onGroups('crawls in control groups', () => {
  afterAll(async () => {
    for (const directory of directories) await rmdir(directory);
  });

  async function groups(): Promise<string[]> {
    const found: string[] = [];
    for (const directory of directories)
      for (const name of await readdir(directory)) if (name.startsWith('muniment-')) found.push(join(directory, name));
    return found;
  }

  it('gives each crawler its own, with limits, for as long as it runs', async () => {
    const t = await LocalDriverUnderTest.open(undefined, directories);
    try {
      const spec = t.job('pages=1000&ms=50', { browserWindows: 2 });
      await t.until(spec, ({ done }) => done >= 1);
      const found = await groups();
      expect(found).toHaveLength(directories.length);
      for (const group of found) expect(await readFile(join(group, 'cgroup.procs'), 'utf8')).toMatch(/^\d+\n/);
      const limits = await Promise.all(
        found.flatMap((group) =>
          ['memory.limit_in_bytes', 'memory.max'].map((file) => readFile(join(group, file), 'utf8').catch(() => '')),
        ),
      );
      expect(limits.map(Number)).toContain(hardLimits(2).memoryBytes);
      await t.driver.cancel(spec.jobId);
      await t.over(spec, 'canceled');
      await eventually(async () => expect(await groups()).toEqual([]));
      expect(t.logged).toEqual([]);
    } finally {
      await t.close();
    }
  });

  it('lets no process take more memory than its limit, and ends all of them at the next start', async () => {
    const cgroups = new Cgroups(directories, { warn: () => undefined });
    const greedy =
      'process.stdin.once("data", () => { const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1)); })';
    const child = spawn(process.execPath, ['-e', greedy], { stdio: ['pipe', 'ignore', 'ignore'] });
    await cgroups.limit('greedy', child.pid ?? 0, { memoryBytes: 150 * MIB, cores: 1 });
    child.stdin.write('go');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);

    const idle = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    await cgroups.limit('idle', idle.pid ?? 0, { memoryBytes: 500 * MIB, cores: 1 });
    const ended = once(idle, 'exit');
    await cgroups.sweep();
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(await groups()).toEqual([]);
  });
});

/** A directory of a cgroup v2 hierarchy, with whatever controllers v1 leaves it; null where none can be made. */
async function directoryOfV2(): Promise<string | null> {
  for (const root of ['/sys/fs/cgroup/unified', '/sys/fs/cgroup']) {
    const path = join(root, `tests-v2-${String(process.pid)}`);
    // A process moves only for who may write here as well.
    const isMade = await access(join(root, 'cgroup.procs'), constants.W_OK)
      .then(() => access(join(root, 'cgroup.controllers')))
      .then(() => mkdir(path))
      .then(
        () => true,
        () => false,
      );
    if (!isMade) continue;
    if ((await readFile(join(path, 'cgroup.type'), 'utf8')) === 'domain\n') return path;
    await rmdir(path);
  }
  return null;
}

const v2 = await directoryOfV2();
if (v2 === null) process.stderr.write('skipped: a group of cgroup v2, as none can be made on this machine\n');

(v2 === null ? it.skip : it)('ends what runs in a group of cgroup v2, and the group with it', async () => {
  try {
    const lines: object[] = [];
    const cgroups = new Cgroups([v2!], { warn: (line) => lines.push(line) });
    const idle = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    const ended = once(idle, 'exit');
    const end = await cgroups.limit('idle', idle.pid ?? 0, { memoryBytes: 500 * MIB, cores: 1 });
    const [name = ''] = (await readdir(v2!)).filter((each) => each.startsWith('muniment-'));
    expect(await readFile(join(v2!, name, 'cgroup.procs'), 'utf8')).toBe(`${String(idle.pid)}\n`);
    await end();
    expect(await ended).toEqual([null, 'SIGKILL']);
    await expect(access(join(v2!, name))).rejects.toThrow();
    expect(lines).toEqual([]);
  } finally {
    await rmdir(v2!);
  }
});

it.each([
  ['v2', ['cpu.max', 'cpu.weight', 'memory.max'], ['150000 100000', '50', String(150 * MIB)]],
  ['v1 (memory)', ['memory.limit_in_bytes'], [String(150 * MIB)]],
  ['v1 (cpu)', ['cpu.cfs_period_us', 'cpu.cfs_quota_us', 'cpu.shares'], ['100000', '150000', '512']],
])('writes the limits as cgroup %s has them, and no other file', async (_version, names, written) => {
  const group = await mkdtemp(join(tmpdir(), 'muniment-group-'));
  for (const name of [...names, 'cgroup.procs']) await writeFile(join(group, name), '');
  await setLimits(group, { memoryBytes: 150 * MIB, cores: 1.5 });
  expect(await Promise.all(names.map((name) => readFile(join(group, name), 'utf8')))).toEqual(written);
  expect((await readdir(group)).sort()).toEqual(['cgroup.procs', ...names].sort());
  await rm(group, { recursive: true });
});

it('crawls without hard limits where no groups can be made, and says so once', async () => {
  const lines: object[] = [];
  const cgroups = new Cgroups(['/proc/no-such-place'], { warn: (line) => lines.push(line) });
  const end = await cgroups.limit('a', process.pid, { memoryBytes: MIB, cores: 1 });
  await end();
  await cgroups.limit('b', process.pid, { memoryBytes: MIB, cores: 1 });
  expect(lines).toMatchObject([{ event: 'cgroup_unavailable' }]);
});
