import { constants, gunzipSync } from 'node:zlib';

import { readRange, type ByteSource } from '../../../formats/zip/byte-source.js';

const SNIFFED_BYTES = 4096;
const MAX_UNPACKED = 1024 * 1024;

/** The kind of a WARC file by its content; null for other files. */
export async function sniffWarc(source: ByteSource): Promise<{ isGzip: boolean } | null> {
  const start = await readRange(source, 0, Math.min(SNIFFED_BYTES, source.size));
  if (isWarc(start)) return { isGzip: false };
  if (start.length < 2 || start.readUInt16BE(0) !== 0x1f8b) return null;
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 4 * MAX_UNPACKED };
    return isWarc(gunzipSync(start, options)) ? { isGzip: true } : null;
  } catch {
    return null;
  }
}

const isWarc = (bytes: Buffer): boolean => /^WARC\/\d/.test(bytes.toString('latin1', 0, 16));
