import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createReadStream } from 'node:fs';
import { fetchStored } from '../../formats/address/stored-file.js';
import type { ByteSource } from '../../formats/zip/byte-source.js';
import { delay, errorText } from '../base/time.js';
import type { QaSource } from '../protocol.js';

/** Waits for a store that restarts or a URL that is about to be renewed: 7.5 s in all. */
const WAITS_MS = [500, 1_000, 2_000, 4_000];

export class SourceUnreadable extends Error {}

/** A WACZ of the crawl under review: a local file, or an object store's presigned URL read in ranges. */
export interface SourceFile extends ByteSource {
  readonly name: string;
}

/** @param urlOf gives the file's current URL when it has no path */
export async function openSource(
  source: QaSource,
  baseDir: (path: string) => string,
  urlOf: (source: QaSource) => string | undefined,
): Promise<SourceFile> {
  if (source.path !== undefined) return openLocal(source.name, baseDir(source.path));
  if (urlOf(source) === undefined) throw new SourceUnreadable(`${source.name} has neither path nor url`);
  return remote(source, () => urlOf(source) ?? '');
}

async function openLocal(name: string, path: string): Promise<SourceFile> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const stream = (start: number, length: number) =>
      Promise.resolve(length > 0 ? createReadStream(path, { start, end: start + length - 1 }) : Readable.from([]));
    return { name, size, stream };
  } finally {
    await handle.close();
  }
}

function remote({ name, sizeBytes, guarded }: QaSource, url: () => string): SourceFile {
  return {
    name,
    size: sizeBytes,
    async stream(start, length) {
      if (length <= 0) return Readable.from([]);
      for (let attempt = 0; ; attempt++) {
        try {
          return await request({ name, guarded }, url(), `bytes=${start}-${start + length - 1}`);
        } catch (error) {
          const wait = WAITS_MS[attempt];
          if (wait === undefined) throw error;
          await delay(wait);
        }
      }
    },
  };
}

/** Requests an address from the driver. The request belongs to no page, so it does not use the guard proxy. */
async function request(
  { name, guarded: isGuarded = false }: Pick<QaSource, 'name' | 'guarded'>,
  url: string,
  range: string,
): Promise<Readable> {
  const response = await fetchStored(url, { headers: { range }, isGuarded }).catch((error: unknown) => {
    throw new SourceUnreadable(`${name}: ${errorText(error)}`);
  });
  if (response.status === 206 && response.body) return Readable.fromWeb(response.body);
  await response.body?.cancel();
  throw new SourceUnreadable(`${name}: status ${response.status}`);
}
