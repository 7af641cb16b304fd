import { errors } from 'playwright-core';
import { errorText } from './base/time.js';
import type { Logger } from './channel/logger.js';

/** Of all errors that the browser's client makes; it exports the one of time-outs alone. */
const BrowserError = Object.getPrototypeOf(errors.TimeoutError) as typeof Error;

/**
 * What failed while nobody waited for it. A page can close, crash or navigate in the middle of any call to it, so such a
 * failure is noise that a site must not be able to end a crawl with: the visit notices by itself. Anything else is a fault
 * of the crawler, whose state nobody knows then: `end` is called, once.
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
