import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { failure } from '../common/errors/domain-error.js';
import { parseRangeHeader, resolveRange } from '../storage/byte-range.js';
import type { Download } from './combined-download.js';
import { MemberUnavailable } from './wacz.errors.js';

/** A file of the download cannot be read from its storage. Contract: archive.md §3. */
export class DownloadFailed extends failure('not-ready', 'download_failed_too_many_retries') {}

/**
 * Answers a request with a download under this file name, with its exact length where that is known before: 200, or 206
 * and 416 for a single range when the download can be sent in parts (`If-Range` respected). HEAD gets the headers alone.
 * Reading stops when the client goes away. Resolves when the response is over.
 * @throws DownloadFailed while nothing was sent yet; later the connection is broken off
 */
export async function sendDownload(
  req: IncomingMessage,
  res: ServerResponse,
  {
    download,
    filename,
    mediaType = 'application/wacz+zip',
  }: { download: Download; filename: string; mediaType?: string },
): Promise<void> {
  const abort = new AbortController();
  res.once('close', () => abort.abort());
  const part = requestedPart(req, download);
  if (part === null) {
    res.writeHead(416, { 'Content-Range': `bytes */${String(download.size)}`, 'Content-Length': 0 }).end();
    return;
  }
  await ready(download, abort.signal);
  const { start, length } = part ?? { start: 0, length: download.size };
  res.writeHead(part ? 206 : 200, {
    'Content-Type': mediaType,
    'Content-Disposition': contentDisposition(filename),
    ...(length === null ? {} : { 'Content-Length': length }),
    ...(part ? { 'Content-Range': `bytes ${start}-${start + part.length - 1}/${String(download.size)}` } : {}),
    ...(download.isResumable ? { 'Accept-Ranges': 'bytes', ETag: download.etag } : {}),
  });
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  try {
    await pipeline(download.stream(abort.signal, start, length === null ? undefined : start + length - 1), res);
  } catch {
    // The headers are sent, so only a broken connection can still tell that the file is incomplete.
    res.destroy();
  }
}

/** Returns the requested part; undefined: everything; null: outside the file. */
function requestedPart(
  req: IncomingMessage,
  { isResumable, etag, size }: Download,
): { start: number; length: number } | null | undefined {
  const range = isResumable ? parseRangeHeader(req.headers.range) : undefined;
  const validator = req.headers['if-range'];
  if (!range || size === null || (validator !== undefined && validator !== etag)) return undefined;
  return resolveRange(range, size);
}

async function ready(download: Download, signal: AbortSignal): Promise<void> {
  try {
    await download.check(signal);
  } catch (error) {
    if (error instanceof MemberUnavailable) throw new DownloadFailed(error.message, { cause: error });
    throw error;
  }
}

/**
 * Plain for ASCII names. Other names get an ASCII stand-in beside the real name (RFC 6266 §4.3, RFC 8187), because
 * clients differ in how they read a plain name's bytes.
 */
export function contentDisposition(filename: string): string {
  // Half a surrogate pair has no encoding.
  const clean = filename.replace(/\p{Cs}/gu, '\ufffd').replace(/[\u0000-\u001f\u007f]/g, '_');
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, (c) => `\\${c}`)}"`;
  if (!/[^\u0020-\u007e]/.test(clean)) return `attachment; filename=${quoted(clean)}`;
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const plain = clean.normalize('NFKD').replace(/\p{Mn}/gu, '');
  return `attachment; filename=${quoted(plain.replace(/[^\u0020-\u007e]/gu, '_'))}; filename*=UTF-8''${encoded}`;
}
