import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirInUse, DataDirLock } from './data-dir-lock.js';
import { identify, processNamespace } from './processes.js';

describe('the lock on the data directory', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'data-dir-lock-'));
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  const acquire = (): Promise<DataDirLock> => DataDirLock.acquire(dir, () => undefined);

  /** Writes the lock that a process leaves when it is killed while it holds it. */
  async function leftBy(pid: number): Promise<void> {
    await mkdir(join(dir, 'crawls.lock'));
    const holder = { ...(await identify(pid)), namespace: await processNamespace(), host: hostname() };
    await writeFile(join(dir, 'crawls.lock.json'), JSON.stringify(holder));
  }

  it('is held by one process at a time, and says by whom', async () => {
    const lock = await acquire();
    await expect(acquire()).rejects.toThrow(
      `The data directory ${dir} is in use by process ${String(process.pid)} on ${hostname()}`,
    );
    await expect(acquire()).rejects.toBeInstanceOf(DataDirInUse);
    await lock.free();
    await lock.free();
    await (await acquire()).free();
  });

  it('is taken over at once from a process that died', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
    await once(child, 'spawn');
    await leftBy(child.pid ?? 0);
    await expect(acquire()).rejects.toBeInstanceOf(DataDirInUse);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await acquire()).free();
  });
});
