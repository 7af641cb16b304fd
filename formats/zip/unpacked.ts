import type { Readable } from 'node:stream';
import type { Gunzip, InflateRaw } from 'node:zlib';
import { UnreadableWacz } from '../unreadable-wacz.js';

/**
 * The unpacked bytes of a stream. Leaving the loop ends both. A failure of the stream is thrown as it is.
 * @param what named in the error
 * @throws UnreadableWacz where the bytes are not packed as they should be
 */
export async function* unpacked(packed: Readable, unzip: Gunzip | InflateRaw, what: string): AsyncGenerator<Buffer> {
  let failure: Error | undefined;
  packed.once('error', (error) => {
    failure = error;
    unzip.destroy(error);
  });
  packed.pipe(unzip);
  try {
    yield* unzip as AsyncIterable<Buffer>;
  } catch (error) {
    if (failure) throw failure;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!code.startsWith('Z_')) throw error;
    throw new UnreadableWacz('corrupt', `${what} cannot be unpacked (${code})`, { cause: error });
  } finally {
    packed.destroy();
    unzip.destroy();
  }
}
