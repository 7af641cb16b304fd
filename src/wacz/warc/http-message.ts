import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';

import { headerFields } from '../../../formats/warc/record-head.js';

/** The start of an HTTP message in a record. */
export interface HttpMessage {
  /** `HTTP/1.1 200 OK` or `GET / HTTP/1.1`. */
  readonly firstLine: string;
  readonly headers: Map<string, string>;
  /** The kept part of the body, as transferred. */
  readonly body: Buffer;
}

/** Returns null for an incomplete header block or another text. */
export function parseHttp(bytes: Buffer): HttpMessage | null {
  const end = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  const bare = bytes.indexOf('\n\n', 0, 'latin1');
  const useBare = bare >= 0 && (end < 0 || bare < end);
  if (end < 0 && !useBare) return null;
  const [firstLine = '', ...lines] = bytes.toString('utf8', 0, useBare ? bare : end).split(/\r?\n/);
  return { firstLine, headers: headerFields(lines), body: bytes.subarray(useBare ? bare + 2 : end + 4) };
}

export const statusOf = ({ firstLine }: HttpMessage): string | null =>
  /^HTTP\/\S+\s+(\d{3})\b/.exec(firstLine)?.[1] ?? null;

export const methodOf = ({ firstLine }: HttpMessage): string =>
  /^([A-Za-z-]{1,30})\s/.exec(firstLine)?.[1]?.toUpperCase() ?? 'GET';

/** Longest unpacked start of a body, bytes. */
const MAX_UNPACKED = 1024 * 1024;

/** The start of a body without its transfer and content encodings; empty when it cannot be decoded. */
export function decodedStart({ headers, body }: HttpMessage): Buffer {
  const plain = /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '') ? dechunked(body) : body;
  const encoding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  const cut = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_UNPACKED };
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(plain, cut);
    if (encoding === 'deflate') return inflateSync(plain, cut);
    if (encoding === 'br') {
      const finishFlush = constants.BROTLI_OPERATION_FLUSH;
      return brotliDecompressSync(plain, { finishFlush, maxOutputLength: MAX_UNPACKED });
    }
    return encoding === '' || encoding === 'identity' ? plain : Buffer.alloc(0);
  } catch {
    return plain; // recorded decoded, with the header of the encoded one, as many writers do
  }
}

/** Accepts a body that was recorded without its chunks or is cut off. */
function dechunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = body.indexOf('\r\n', at, 'latin1');
    const size =
      end < 0 ? NaN : parseInt(/^\s*([0-9a-f]{1,8})\s*(?:;|$)/i.exec(body.toString('latin1', at, end))?.[1] ?? '', 16);
    if (Number.isNaN(size)) return parts.length === 0 ? body : Buffer.concat(parts);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
    if (at >= body.length) return Buffer.concat(parts);
  }
}
