import type { Frame, Page } from 'playwright-core';
import { withTimeout } from '../base/time.js';

/** The frames that show a document. One still waiting for its first neither runs scripts nor refuses to. */
export function framesOf(page: Page): Frame[] {
  return page.frames().filter((frame) => frame.url() !== '');
}

/** Runs a function in every frame and returns the results. A frame that does not answer in time is left out. */
export async function inFrames<A, R>(
  page: Page,
  script: (argument: A) => R | Promise<R>,
  argument: A,
  timeoutMs: number,
): Promise<R[]> {
  const run = script as (argument: unknown) => R;
  const results = await Promise.allSettled(
    framesOf(page).map((frame) => withTimeout(frame.evaluate(run, argument as unknown), timeoutMs, 'frame')),
  );
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value as R] : []));
}
