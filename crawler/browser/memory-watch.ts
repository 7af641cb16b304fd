import { readFile } from 'node:fs/promises';
import { delay } from '../base/time.js';
import type { Logger } from '../channel/logger.js';
import type { Browser } from './browser.js';

const CHECK_MS = 1_000;
/** Above its soft limit a browser is started anew between pages; only what no page may need is ended at once. */
const HARD_FACTOR = 1.5;

/**
 * Ends the largest page of a browser that takes far more memory than it should, as long as the browser lives. The page
 * counts as crashed; the others and the browser go on. Without a limit of the system's own (cgroups) a single page
 * could take all memory of the machine.
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
      // It has ended by itself.
    }
  }
}

/** Memory that is the process's own, bytes; 0 where the system does not tell. Anyone may read it, of sandboxed ones too. */
export async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = [...text.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].map(([, size]) => Number(size));
  return kilobytes.reduce((sum, size) => sum + size, 0) * 1024;
}
