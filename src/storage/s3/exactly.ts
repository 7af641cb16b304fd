import { Readable } from 'node:stream';

import { StorageError, StorageUnavailable } from '../storage.errors.js';

/**
 * The body of an answer that must be `length` bytes. It ends with `StorageUnavailable` when the connection breaks, or
 * when the server sends fewer or more bytes. So a truncated object never passes for a whole one.
 */
export function exactly(body: Readable, length: number, key: string, signal?: AbortSignal): Readable {
  const checked = Readable.from(count(body, length, key, signal), { objectMode: false, highWaterMark: 256 * 1024 });
  // An abort while nobody reads must still free the connection.
  signal?.addEventListener('abort', () => body.destroy(), { once: true });
  checked.once('close', () => body.destroy());
  // The generator reports failures of `body` while it is read. After that a late failure has no reader.
  body.on('error', () => undefined);
  return checked;
}

async function* count(body: Readable, length: number, key: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let received = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > length) throw new StorageUnavailable(`more than ${length} bytes for ${key}`);
      yield chunk;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof StorageError) throw error;
    throw new StorageUnavailable(`the connection broke after ${received} of ${length} bytes of ${key}`, {
      cause: error,
    });
  }
  signal?.throwIfAborted();
  if (received < length) throw new StorageUnavailable(`${received} of ${length} bytes of ${key}`);
}
