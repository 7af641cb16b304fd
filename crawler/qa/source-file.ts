import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createReadStream } from 'node:fs';
import { fetch } from 'undici';
import type { QaSource } from '../protocol.js';

export class SourceUnreadable extends Error {}

/** A WACZ of the crawl under review: a local file, or an object store's presigned URL read in ranges. */
export interface SourceFile {
  readonly name: string;
  readonly size: number;
  /** Bytes from `start` up to, not including, `end`. */
  stream(start: number, end: number): Promise<Readable>;
}

export async function openSource(source: QaSource, baseDir: (path: string) => string): Promise<SourceFile> {
  if (source.path !== undefined) return openLocal(source.name, baseDir(source.path));
  if (source.url === undefined) throw new SourceUnreadable(`${source.name} has neither path nor url`);
  return remote(source.name, source.url, source.sizeBytes);
}

export async function readRange(file: SourceFile, start: number, end: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of await file.stream(start, end)) parts.push(chunk as Buffer);
  return Buffer.concat(parts);
}

async function openLocal(name: string, path: string): Promise<SourceFile> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const stream = (start: number, end: number) =>
      Promise.resolve(end > start ? createReadStream(path, { start, end: end - 1 }) : Readable.from([]));
    return { name, size, stream };
  } finally {
    await handle.close();
  }
}

function remote(name: string, url: string, size: number): SourceFile {
  return {
    name,
    size,
    async stream(start, end) {
      if (end <= start) return Readable.from([]);
      // The crawler's own request, to an address the driver gave: not a page's, so not through the guard.
      const response = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } });
      if (response.status !== 206 || !response.body) throw new SourceUnreadable(`${name}: status ${response.status}`);
      return Readable.fromWeb(response.body);
    },
  };
}
