import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { kill } from './processes.js';

/** Hard limits of one crawler process and all processes that it starts, above all its browser. */
export interface ProcessLimits {
  readonly memoryBytes: number;
  /** Seconds of CPU time that may be used in each second. */
  readonly cores: number;
}

const PERIOD_US = 100_000;
/** Weight of crawls: the service and its database come first when the machine has too little CPU for all. */
const CPU_WEIGHT = { v2: 50, v1: 512 };
/** Beginning of the names of groups made here. Nothing else below the directories is touched. */
const PREFIX = 'muniment-';
const ENDING_TRIES = 50;
const ENDING_PAUSE_MS = 100;

/**
 * Control groups below directories that the machine's administrator gave to the service (`CRAWL_CGROUPS`). With cgroup
 * v2 there is one directory; with v1 there is one of the memory and one of the CPU controller. A group that cannot be
 * made stops no crawl: then only the crawler itself watches the memory of its browser.
 */
export class Cgroups {
  private hasWarned = false;

  constructor(
    private readonly parents: readonly string[],
    private readonly logger: { warn(line: object): void },
  ) {}

  /** Ends and removes the groups that an earlier process left. Only one service may use the directories. */
  async sweep(): Promise<void> {
    for (const parent of this.parents)
      for (const name of await readdir(parent).catch(() => []))
        if (name.startsWith(PREFIX)) await end(join(parent, name));
  }

  /** Puts a process that has started nothing yet into a group of its own. @returns a function that ends the group */
  async limit(name: string, pid: number, limits: ProcessLimits): Promise<() => Promise<void>> {
    const groups: string[] = [];
    // The name has the process id: the next process of the same run must not be in the group that is being ended.
    const own = `${PREFIX}${name}-${String(pid)}`;
    try {
      for (const parent of this.parents) {
        const group = join(parent, own);
        groups.push(group);
        await mkdir(group);
        await setLimits(group, limits);
        await writeFile(join(group, 'cgroup.procs'), String(pid));
      }
    } catch (error) {
      if (!this.hasWarned)
        this.logger.warn({
          event: 'cgroup_unavailable',
          message: 'Crawls run without hard limits of memory and CPU: see CRAWL_CGROUPS',
          error: String(error),
        });
      this.hasWarned = true;
    }
    return async () => {
      for (const group of groups) await end(group);
    };
  }
}

/**
 * Writes the limits into the files that the group's controllers have, of cgroup v1 or v2. Missing files are skipped.
 */
export async function setLimits(group: string, limits: ProcessLimits): Promise<void> {
  for (const [file, value] of Object.entries(valuesOf(limits)))
    if (await exists(join(group, file))) await writeFile(join(group, file), value);
}

function valuesOf({ memoryBytes, cores }: ProcessLimits): Record<string, string> {
  const quota = String(Math.round(cores * PERIOD_US));
  return {
    'memory.max': String(memoryBytes),
    'cpu.max': `${quota} ${String(PERIOD_US)}`,
    'cpu.weight': String(CPU_WEIGHT.v2),
    'memory.limit_in_bytes': String(memoryBytes),
    'cpu.cfs_period_us': String(PERIOD_US),
    'cpu.cfs_quota_us': quota,
    'cpu.shares': String(CPU_WEIGHT.v1),
  };
}

/**
 * Removes a group, which works only when it has no process left. Browsers that outlive their crawler are ended here.
 */
async function end(group: string): Promise<void> {
  for (let tries = 0; tries < ENDING_TRIES; tries += 1) {
    const pids = (await readFile(join(group, 'cgroup.procs'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
    for (const pid of pids) kill(Number(pid), 'SIGKILL');
    const code = await rmdir(group).then(
      () => null,
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    if (code !== 'EBUSY') return;
    await delay(ENDING_PAUSE_MS);
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
