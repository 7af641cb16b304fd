import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Cgroups } from '../../../src/drivers/local/cgroups.js';
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

it('crawls without hard limits where no groups can be made, and says so once', async () => {
  const lines: object[] = [];
  const cgroups = new Cgroups(['/proc/no-such-place'], { warn: (line) => lines.push(line) });
  const end = await cgroups.limit('a', process.pid, { memoryBytes: MIB, cores: 1 });
  await end();
  await cgroups.limit('b', process.pid, { memoryBytes: MIB, cores: 1 });
  expect(lines).toMatchObject([{ event: 'cgroup_unavailable' }]);
});
