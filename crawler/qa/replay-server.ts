import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SourceFile } from './source-file.js';

export const COLLECTION = 'source';

/** The host page has one borderless frame over the whole window. At top level replay would show its own interface. */
const HOST_PAGE = `<!doctype html><html><head><meta charset="utf-8"><title></title><style>
html, body { margin: 0; height: 100%; overflow: hidden } iframe { border: 0; width: 100vw; height: 100vh; display: block }
</style></head><body></body></html>`;

/** Serves the replay worker, the host page and the WACZ files to the checking browser, on a loopback port. */
export class ReplayServer {
  private readonly server: Server;
  port = 0;
  /** Number of failed reads of files. Pages shown meanwhile say nothing about the archive. */
  unreadable = 0;

  constructor(private readonly files: readonly SourceFile[]) {
    this.server = createServer((req, res) => {
      this.serve(req, res).catch(() => res.destroy());
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** URL that the replay worker loads: the WACZ, or the list of them. */
  get sourceUrl(): string {
    const only = this.files.length === 1 ? this.files[0] : undefined;
    return only ? `${this.origin}/files/0/${encodeURIComponent(only.name)}` : `${this.origin}/files/all.json`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', this.origin);
    if (pathname === '/replay/host.html') return sendText(req, res, 'text/html; charset=utf-8', HOST_PAGE);
    if (pathname === '/replay/sw.js') return sendAsset(res);
    if (pathname === '/files/all.json') return sendText(req, res, 'application/json', this.list());
    const file = this.files[Number(/^\/files\/(\d+)\//.exec(pathname)?.[1] ?? -1)];
    if (!file) {
      res.writeHead(404, { 'content-length': 0 }).end();
      return;
    }
    await sendRange(req, res, file, () => this.unreadable++);
  }

  private list(): string {
    const resources = this.files.map((file, i) => ({
      name: file.name,
      path: `${this.origin}/files/${i}/${encodeURIComponent(file.name)}`,
      bytes: file.size,
    }));
    return JSON.stringify({ profile: 'multi-wacz-package', resources });
  }
}

/** Parses one range (RFC 9110 §14). A suffix longer than the file means the whole file, and replay asks for such. */
export function parseRange(header: string | undefined, size: number): { start: number; end: number } | 'bad' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  if (match[1] === '') return { start: Math.max(0, size - Number(match[2])), end: size };
  const start = Number(match[1]);
  const end = match[2] === '' ? size : Math.min(size, Number(match[2]) + 1);
  return start >= size || end <= start ? 'bad' : { start, end };
}

async function sendRange(
  req: IncomingMessage,
  res: ServerResponse,
  file: SourceFile,
  unreadable: () => void,
): Promise<void> {
  const range = parseRange(req.headers.range, file.size);
  if (range === 'bad') {
    res.writeHead(416, { 'content-range': `bytes */${file.size}`, 'content-length': 0 }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: file.size };
  const body = req.method === 'HEAD' ? null : await opened(file, start, end, unreadable);
  res.writeHead(range ? 206 : 200, {
    'content-type': 'application/wacz+zip',
    'accept-ranges': 'bytes',
    'content-length': end - start,
    ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${file.size}` } : {}),
  });
  if (body) await pipeline(body, res);
  else res.end();
}

async function opened(file: SourceFile, start: number, end: number, unreadable: () => void): Promise<Readable> {
  const body = await file.stream(start, end - start).catch((error: unknown) => {
    unreadable();
    throw error;
  });
  // The browser may close the connection early; the file is not at fault.
  return body.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') unreadable();
  });
}

async function sendAsset(res: ServerResponse): Promise<void> {
  // The package exports the page beside its worker, but not the worker.
  const path = join(dirname(createRequire(import.meta.url).resolve('replaywebpage/index.html')), 'sw.js');
  const { size } = await stat(path);
  res.writeHead(200, { 'content-type': 'text/javascript', 'content-length': size });
  await pipeline(createReadStream(path), res);
}

function sendText(req: IncomingMessage, res: ServerResponse, type: string, text: string): void {
  res.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  res.end(req.method === 'HEAD' ? undefined : text);
}
