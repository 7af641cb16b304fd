import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import type { PutOptions, StoredObject } from './put-options.js';
import { ObjectSizeDiffers, ObjectTooLarge } from './storage.errors.js';

/** A pass over a body that counts, hashes and checks it while the adapter consumes `chunks`. */
export interface DigestedBody {
  readonly chunks: AsyncIterable<Buffer>;
  /** Valid once `chunks` is exhausted. */
  readonly result: () => StoredObject;
}

/**
 * Hashing a huge buffer in one go would hold up every other request. Sending one copies all of it where it is
 * encrypted.
 */
const SLICE_BYTES = 1024 * 1024;

export function digesting(key: string, body: Readable | Buffer, options: PutOptions): DigestedBody {
  const { maxBytes = Infinity, exactSize } = options;
  const hash = createHash('sha256');
  let crc = 0;
  let size = 0;

  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of Buffer.isBuffer(body) ? slices(body) : abortable(body, options.signal)) {
      options.signal?.throwIfAborted();
      size += chunk.length;
      if (size > maxBytes) throw new ObjectTooLarge(key, maxBytes);
      if (exactSize !== undefined && size > exactSize) throw new ObjectSizeDiffers(key, size, exactSize);
      hash.update(chunk);
      crc = crc32(chunk, crc);
      options.onProgress?.(size);
      yield chunk;
    }
    options.signal?.throwIfAborted();
    if (exactSize !== undefined && size < exactSize) throw new ObjectSizeDiffers(key, size, exactSize);
  }

  return { chunks: chunks(), result: () => ({ size, sha256: hash.digest('hex'), crc32: crc }) };
}

export function* slices(buffer: Buffer): Generator<Buffer> {
  for (let at = 0; at < buffer.length; at += SLICE_BYTES) yield buffer.subarray(at, at + SLICE_BYTES);
}

/**
 * The chunks of `body` as buffers. An abort destroys the body, so that a read that never comes ends too. Any other
 * failure leaves the body to the caller, who may want to answer on the same connection.
 */
async function* abortable(body: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const onAbort = (): void => {
    // The reader may have left the body by the time that it reports the abort.
    body.on('error', () => undefined);
    body.destroy(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer | string>) {
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
