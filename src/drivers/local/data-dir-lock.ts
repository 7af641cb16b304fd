import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { identify, isAlive, processNamespace, type ProcessIdentity } from './processes.js';

/** Time without a renewal after which a lock is free: its holder's machine or container is gone. */
const STALE_MS = 10_000;

interface Holder extends ProcessIdentity {
  readonly namespace: string | null;
  readonly host: string;
}

/** Another process works in the data directory. The message is for the person who started this one. */
export class DataDirInUse extends Error {
  constructor(dataDir: string, holder: Holder | null) {
    const who = holder ? `process ${String(holder.pid)} on ${holder.host}` : 'another process';
    super(
      `The data directory ${dataDir} is in use by ${who}. The local crawl driver needs exactly one API process for each ` +
        'DATA_DIR: stop the other one, set another DATA_DIR, or set CRAWL_DRIVER to docker or kubernetes.',
    );
    this.name = 'DataDirInUse';
  }
}

/** The lock of the one process that may run crawls in a data directory. */
export class DataDirLock {
  private constructor(private readonly release: () => Promise<void>) {}

  /**
   * Takes the lock. A lock that a dead process left is taken over: at once if the process ran on this machine, after
   * STALE_MS if not.
   * @param lost called when the lock was taken away, because this process was suspended for long
   * @throws DataDirInUse
   */
  static async acquire(dataDir: string, lost: (error: Error) => void): Promise<DataDirLock> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const lockPath = join(dataDir, 'crawls.lock');
    const holderPath = join(dataDir, 'crawls.lock.json');
    const holder = await readHolder(holderPath);
    if (holder && (await isKnownDead(holder))) await rm(lockPath, { recursive: true, force: true });
    // A retry only makes sense for a lock that might be stale.
    const retries =
      holder && holder.namespace === (await processNamespace()) && holder.host === hostname()
        ? 0
        : { retries: 12, minTimeout: 1000, maxTimeout: 1000 };
    try {
      const release = await lockfile.lock(dataDir, {
        lockfilePath: lockPath,
        stale: STALE_MS,
        realpath: false,
        retries,
        onCompromised: lost,
      });
      await writeFile(holderPath, JSON.stringify(await self()), { mode: 0o600 });
      return new DataDirLock(release);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ELOCKED')
        throw new DataDirInUse(dataDir, await readHolder(holderPath));
      throw error;
    }
  }

  /** Releases the lock. Idempotent. */
  async free(): Promise<void> {
    await this.release().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERELEASED' && error.code !== 'ENOTACQUIRED') throw error;
    });
  }
}

async function self(): Promise<Holder> {
  const { pid, startTicks } = (await identify(process.pid)) ?? { pid: process.pid, startTicks: '' };
  return { pid, startTicks, namespace: await processNamespace(), host: hostname() };
}

/** Whether the holder is known to be dead. That is known only of processes in this process's own process table. */
async function isKnownDead(holder: Holder): Promise<boolean> {
  const namespace = await processNamespace();
  return namespace !== null && holder.namespace === namespace && holder.host === hostname() && !(await isAlive(holder));
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}
