import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CombinedDownload } from '../../src/wacz/combined-download.js';
import { digestOf } from './wacz-file.js';

/** Writes these WACZs as the one file in which people download them together. */
export async function writeCombined(paths: readonly string[], target: string): Promise<void> {
  const members = paths.map((path) => ({
    name: basename(path),
    size: statSync(path).size,
    sha256: digestOf(path),
    open: (start: number) => Promise.resolve(createReadStream(path, { start })),
  }));
  await pipeline(new CombinedDownload(members, 'a test', {}).stream(), createWriteStream(target));
}
