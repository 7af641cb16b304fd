import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a check until it passes or the bound is over; then fails with the last failure. */
export async function eventually<T>(check: () => T | Promise<T>, boundMs = 120_000, everyMs = 50): Promise<T> {
  const end = performance.now() + boundMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(everyMs);
  }
}
