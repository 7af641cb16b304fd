import { readFile, statfs } from 'node:fs/promises';
import { privateBytes } from '../browser/memory-watch.js';

/** Percent of the file system of `path` in use, as `df` counts it. */
export async function diskUsePercent(path: string): Promise<number> {
  const { blocks, bfree, bavail } = await statfs(path);
  const used = blocks - bfree;
  return used + bavail === 0 ? 0 : (used / (used + bavail)) * 100;
}

/** Proportional memory of the processes, bytes; 0 where the system does not tell (anything but Linux). */
export async function memoryBytes(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(pids.map(processBytes));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function processBytes(pid: number): Promise<number> {
  try {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    // The system hides the shared memory of a sandboxed process, so only its private memory counts.
    return privateBytes(pid);
  }
}
