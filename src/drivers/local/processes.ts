import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process that cannot be mistaken for a later one with the same id: `startTicks` is field 22 of /proc/<pid>/stat. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: string;
}

export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const stat = await statOf(pid);
  return stat && { pid, startTicks: stat.startTicks };
}

/**
 * False also for a process that has ended and waits to be reaped. It has when its last thread has: the first may have
 * ended before the others, which still hold the locks of its files.
 */
export async function isAlive({ pid, startTicks }: ProcessIdentity): Promise<boolean> {
  const stat = await statOf(pid);
  return stat !== null && stat.startTicks === startTicks && (stat.state !== 'Z' || stat.threads > 1);
}

/** Which process table a process id belongs to; null where there is no /proc. */
export function processNamespace(): Promise<string | null> {
  return readlink('/proc/self/ns/pid').catch(() => null);
}

/** Browsers whose profile lies below a directory; a browser shows its profile's path in an argument of its own. */
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

/** Signals a process that may be gone already; a negative id means its whole group. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Of /proc/<pid>/stat the fields 3, 20 and 22; null: there is no such process. */
async function statOf(pid: number): Promise<{ state: string; threads: number; startTicks: string } | null> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => null);
  if (!stat) return null;
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', threads: Number(fields[17]), startTicks: fields[19] ?? '' };
}
