import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { AddressRefused, canonicalHost } from '../../formats/address/resolve.js';
import { errorText } from '../base/time.js';
import { UpstreamFailed, type Dialer } from './dialer.js';
import type { Traffic } from './traffic.js';

/** Hosts that Chromium calls by itself; they belong to no page. */
const DENIED_HOSTS = new Set([
  'clients1.google.com',
  'clients2.google.com',
  'clients4.google.com',
  'clientservices.googleapis.com',
  'update.googleapis.com',
  'optimizationguide-pa.googleapis.com',
  'content-autofill.googleapis.com',
  'safebrowsing.googleapis.com',
  'safebrowsingohttpgateway.googleapis.com',
  'redirector.gvt1.com',
  'edgedl.me.gvt1.com',
  'android.clients.google.com',
  'mtalk.google.com',
]);

/** Hop-by-hop headers (RFC 9110 §7.6.1), which the proxy does not forward. */
const HOP_HEADERS = new Set(['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'upgrade']);

/** `Proxy-Authorization` of the crawler's own fetches, which tells them from the browser's requests. */
export const OWN_FETCH = 'Basic crawler';

export interface GuardEvents {
  refused?(host: string): void;
  upstreamFailed?(message: string): void;
}

/** The loopback proxy for all traffic of the run. Only it opens connections, and only to checked addresses. */
export class GuardProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Duplex>();

  constructor(
    private readonly dialer: Dialer,
    private readonly events: GuardEvents = {},
    private readonly traffic?: Traffic,
  ) {
    this.server = createServer({ maxHeaderSize: 256 * 1024, requestTimeout: 0 }, (req, res) => this.forward(req, res));
    this.server.keepAliveTimeout = 60_000;
    this.server.on('connect', (req: IncomingMessage, socket: Duplex, head: Buffer) => this.tunnel(req, socket, head));
    this.server.on('connection', (socket) => this.track(socket));
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Starts listening on a free loopback port and returns the proxy's URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async open(host: string, port: number): Promise<Socket> {
    if (DENIED_HOSTS.has(host.replace(/\.$/, ''))) throw new HostDenied(host);
    const socket = await this.dialer.dial(host, port);
    this.track(socket);
    return socket;
  }

  private track(socket: Duplex): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  private tunnel(req: IncomingMessage, client: Duplex, head: Buffer): void {
    const target = splitAuthority(req.url ?? '');
    if (!target) {
      client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      return;
    }
    this.open(target.host, target.port).then(
      (socket) => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        if (head.length > 0) socket.write(head);
        this.count(req, socket, target);
        socket.pipe(client);
        client.pipe(socket);
        socket.once('close', () => client.destroy());
        client.once('close', () => socket.destroy());
      },
      (error: unknown) => {
        this.report(target.host, error);
        client.end(`HTTP/1.1 ${statusOf(error)} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      },
    );
  }

  private forward(req: IncomingMessage, res: ServerResponse): void {
    const url = absoluteUrl(req.url);
    if (!url) {
      res.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const host = url.hostname;
    const refuse = (error: unknown) => {
      this.report(host, error);
      if (res.headersSent) res.destroy();
      // No status of ours may look like the site's own, so the connection is cut: the browser sees a network error.
      else res.socket?.destroy();
    };
    const port = Number(url.port) || 80;
    this.open(host, port).then((socket) => {
      if (res.destroyed) return socket.destroy();
      const out = httpRequest({
        createConnection: () => socket,
        method: req.method,
        path: url.pathname + url.search,
        headers: forwardedHeaders(req.rawHeaders),
        setHost: false,
      });
      let isAnswered = false;
      out.on('response', (answer) => {
        isAnswered = true;
        this.count(req, answer, { host, port });
        this.answer(answer, res);
      });
      // A broken answer shows its own fault. An error after its end does not belong to it.
      out.on('error', (error) => {
        if (!isAnswered) refuse(error);
      });
      res.once('close', () => socket.destroy());
      req.pipe(out);
    }, refuse);
  }

  private count(req: IncomingMessage, from: Readable, { host, port }: { host: string; port: number }): void {
    const { traffic } = this;
    if (!traffic || req.headers['proxy-authorization'] === OWN_FETCH) return;
    from.on('data', (chunk: Buffer) => traffic.add(host, port, chunk.length));
  }

  private answer(answer: IncomingMessage, res: ServerResponse): void {
    const headers = forwardedHeaders(answer.rawHeaders);
    res.sendDate = false;
    res.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers);
    res.flushHeaders();
    answer.on('error', () => res.destroy());
    answer.on('aborted', () => res.destroy());
    answer.pipe(res);
  }

  private report(host: string, error: unknown): void {
    if (error instanceof AddressRefused) this.events.refused?.(host);
    if (error instanceof UpstreamFailed) this.events.upstreamFailed?.(errorText(error));
  }
}

class HostDenied extends Error {}

function statusOf(error: unknown): number {
  return error instanceof AddressRefused || error instanceof HostDenied ? 403 : 502;
}

/** Raw header pairs without the hop-by-hop ones, as the flat list Node accepts: case, order and repeats are kept. */
function forwardedHeaders(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const lower = name.toLowerCase();
    if (!HOP_HEADERS.has(lower) && lower !== 'transfer-encoding') kept.push(name, raw[i + 1]!);
  }
  return kept;
}

function absoluteUrl(text: string | undefined): URL | null {
  try {
    const url = new URL(text ?? '');
    return url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

function splitAuthority(text: string): { host: string; port: number } | null {
  const match = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text);
  const [host, port] = [canonicalHost(match?.[1] ?? ''), Number(match?.[2])];
  return host && port > 0 && port < 65_536 ? { host, port } : null;
}
