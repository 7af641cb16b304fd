import { errors } from 'playwright-core';
import { errorText } from './base/time.js';
import type { Logger } from './channel/logger.js';

/** Base class of all errors of the browser's client, which exports only that of time-outs. */
const BrowserError = Object.getPrototypeOf(errors.TimeoutError) as typeof Error;

/**
 * Handles rejections that nobody waited for. A page can close, crash or navigate during any call to it. Such a failure
 * is ignored, because a site must not end a crawl with it and the visit notices by itself. Any other failure is a fault
 * of the crawler and leaves its state unknown, so `end` is called once.
 */
export function onUnhandledRejection(logger: Logger, end: (error: unknown) => void): void {
  let ended = false;
  process.on('unhandledRejection', (error) => {
    const details = { error: errorText(error) };
    if (error instanceof BrowserError) return logger.warn('browser', 'A call to a page failed unnoticed', details);
    if (!ended) end(error);
    ended = true;
  });
}
