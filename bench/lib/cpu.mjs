/** Processor time of processes, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, the same on every Linux. */
const TICKS = 100;

/** Parent and seconds of CPU of a process, those of ended children it waited for included. */
function processOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
    return { pid: Number(pid), parent: Number(fields[1]), seconds: ticks / TICKS };
  } catch {
    return null;
  }
}

/** Seconds of CPU of the process itself and of everything below it. */
export function cpuSeconds(root) {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processOf(name) ?? []) : []));
  const below = (pid) =>
    all.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.seconds + below(child.pid), 0);
  return { own: all.find(({ pid }) => pid === root)?.seconds ?? 0, below: below(root) };
}
