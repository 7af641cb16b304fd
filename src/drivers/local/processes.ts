import { readdir, readFile, readlink } from 'node:fs/promises';

/** Identifies a process, also against a later one with the same id. `startTicks` is field 22 of /proc/<pid>/stat. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: string;
}

export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const stat = await statOf(pid);
  return stat && { pid, startTicks: stat.startTicks };
}

/**
 * Whether a process is alive. One that has ended and waits to be reaped is not. A process has ended when its last
 * thread has: the first thread may end before the others, which still hold the locks of its files.
 */
export async function isAlive({ pid, startTicks }: ProcessIdentity): Promise<boolean> {
  const stat = await statOf(pid);
  return stat !== null && stat.startTicks === startTicks && (stat.state !== 'Z' || stat.threads > 1);
}

/** The process table that the ids of this process belong to; null where there is no /proc. */
export function processNamespace(): Promise<string | null> {
  return readlink('/proc/self/ns/pid').catch(() => null);
}

/** Process ids of browsers whose profile is below a directory. A browser shows its profile's path in an argument. */
export async function browsersBelow(directory: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.split('\0').some((argument) => argument.startsWith(`--user-data-dir=${directory}/`))) found.push(pid);
  }
  return found;
}

/** Signals a process, which may be gone already. A negative id means its whole group. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Reads the fields 3, 20 and 22 of /proc/<pid>/stat. Null: there is no such process. */
async function statOf(pid: number): Promise<{ state: string; threads: number; startTicks: string } | null> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => null);
  if (!stat) return null;
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', threads: Number(fields[17]), startTicks: fields[19] ?? '' };
}
