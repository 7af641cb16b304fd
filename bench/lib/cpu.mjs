/** Processor time of processes, as Linux counts it: says more than a clock on a busy machine. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, the same on every Linux. */
const TICKS = 100;

/** Parent of a process, and its seconds of CPU without and with those of ended children it waited for. */
function processOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user, system, ofChildren, inSystem] = fields.slice(11, 15);
  const own = (user + system) / TICKS;
  return { pid: Number(pid), parent: fields[1], own, withEnded: own + (ofChildren + inSystem) / TICKS };
}

/** Seconds of CPU that the process itself has used, all its threads and both modes. */
export const cpuSeconds = (pid) => processOf(pid).own;

/**
 * The same in nanoseconds, by the scheduler, for figures of a millisecond: ticks are ten. Threads that have ended are
 * not in it, so nothing that starts threads of its own may lie between two looks.
 */
export function cpuNanoseconds(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.reduce((sum, task) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // It ended meanwhile.
      return sum;
    }
  }, 0);
}

/** Seconds of CPU of the process and of everything below it, ended children included. */
export function treeCpuSeconds(root) {
  const all = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [processOf(name)];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
  const below = (pid) =>
    all.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.withEnded + below(child.pid), 0);
  return { own: all.find(({ pid }) => pid === root)?.withEnded ?? 0, below: below(root) };
}
