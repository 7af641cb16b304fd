import { Session } from 'node:inspector';
import { seconds } from './common/units/durations.js';

/** By then workers have looked for the first time, which needs code and memory once more. */
const AFTER_MS = seconds(5);

/**
 * Gives back, once, the memory that only the start needed, about 40 MB, at the price of a tenth of a second: V8 would
 * keep it until the service has much to do. Only by Node's inspector does V8 also give back what is empty.
 */
export function forgetStart(): void {
  setTimeout(() => {
    const session = new Session();
    session.connect();
    // A session that ends while its question is being answered stops the process.
    session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()));
  }, AFTER_MS).unref();
}
