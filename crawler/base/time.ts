import { withoutFilePaths } from '../../formats/text/without-file-paths.js';

/** Resolves after `ms`, or at once when the signal is or becomes aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || ms <= 0) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

export class TimeoutError extends Error {
  constructor(what: string, ms: number) {
    super(`${what}: no answer within ${ms} ms`);
  }
}

/** The promise's outcome, or a `TimeoutError` after `ms`. The promise itself goes on; late rejections are ignored. */
export function withTimeout<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError(what, ms)), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** The promise's outcome, or a rejection as soon as the signal is aborted. The promise itself goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const aborted = (): void => reject(new Error('given up'));
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted));
  });
}

/** Waits for the promise for at most `ms`; never rejects. Returns whether it was fulfilled in time. */
export async function settled(promise: Promise<unknown>, ms: number): Promise<boolean> {
  try {
    await withTimeout(promise, ms, 'wait');
    return true;
  } catch {
    return false;
  }
}

export function nowIso(): string {
  return new Date().toISOString();
}

/** The text of an error in a crawl's log, which users read. */
export function errorText(error: unknown): string {
  return withoutFilePaths(error instanceof Error ? error.message : String(error));
}
