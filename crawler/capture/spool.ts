import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Truncation } from '../warc/capture-writer.js';

export interface Spooled {
  readonly path: string;
  /** Digest of the bytes kept. */
  readonly digest: string;
  readonly size: number;
  readonly truncated?: Truncation;
}

interface Options {
  readonly mostBytes: number;
  /** Gives the reason why a body broke off, except for a timeout; null: the body is not to be kept. */
  readonly why: () => Truncation | null;
  /** Bytes received since the owner last looked. */
  readonly progress: { bytes: number };
}

/**
 * Writes a body to a file, up to the limit. A body that breaks off is kept as far as it came. Memory holds one part at
 * a time.
 * @throws the body's error when it broke off before its first byte or is not to be kept, or that of the disk
 */
export async function spool(body: Readable, path: string, options: Options): Promise<Spooled> {
  const hash = createHash('sha256');
  let size = 0;
  let truncated: Truncation | undefined;
  const file = await open(path, 'w', 0o600);
  try {
    for (const parts = body[Symbol.asyncIterator](); truncated === undefined;) {
      const next = await parts.next().catch((error: unknown) => {
        const why = options.why();
        if (why === null || size === 0) throw error;
        truncated = isIdleTimeout(error) ? 'time' : why;
      });
      if (!next || next.done) break;
      const part = (next.value as Buffer).subarray(0, options.mostBytes - size);
      if (part.length < (next.value as Buffer).length) truncated = 'length';
      hash.update(part);
      await file.writeFile(part);
      size += part.length;
      options.progress.bytes += part.length;
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    body.destroy();
    await file.close();
  }
  return { path, digest: `sha256:${hash.digest('hex')}`, size, ...(truncated ? { truncated } : {}) };
}

/** Whether the error is undici's for a body that brought nothing for too long. */
function isIdleTimeout(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return code === 'UND_ERR_BODY_TIMEOUT' || cause?.code === 'UND_ERR_BODY_TIMEOUT';
}
