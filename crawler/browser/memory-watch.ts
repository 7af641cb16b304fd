import { readFile } from 'node:fs/promises';
import { delay } from '../base/time.js';
import type { Logger } from '../channel/logger.js';
import type { Browser } from './browser.js';

const CHECK_MS = 1_000;
/** A restart between pages obeys the soft limit. Above this many times the limit the largest page ends at once. */
const HARD_FACTOR = 1.5;

/**
 * Watches a browser while it lives and ends its largest page when it takes far too much memory. The page counts as
 * crashed; the other pages go on. Without a limit of the system (cgroups) a single page could take all memory of the
 * machine.
 */
export async function watchMemory(browser: Browser, softLimitBytes: number, logger: Logger): Promise<void> {
  const limit = softLimitBytes * HARD_FACTOR;
  for (await delay(CHECK_MS); browser.isConnected; await delay(CHECK_MS)) {
    const processes = await browser.processes().catch(() => []);
    const sized = await Promise.all(processes.map(async (each) => ({ ...each, bytes: await privateBytes(each.id) })));
    if (sized.reduce((sum, { bytes }) => sum + bytes, 0) <= limit) continue;
    const [largest] = sized.filter(({ id, type }) => type === 'renderer' && id > 1).sort((a, b) => b.bytes - a.bytes);
    if (!largest) continue;
    logger.warn('browser', 'Ending a page that takes too much memory', { bytes: largest.bytes, limit });
    try {
      process.kill(largest.id, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
  }
}

/** Private memory of a process, bytes; 0 where the system does not tell. Sandboxed processes show it too. */
export async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = [...text.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].map(([, size]) => Number(size));
  return kilobytes.reduce((sum, size) => sum + size, 0) * 1024;
}
