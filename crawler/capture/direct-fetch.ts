import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fetch, ProxyAgent, type Response } from 'undici';
import { errorText, nowIso, settled } from '../base/time.js';
import type { CaptureWriter } from '../warc/capture-writer.js';
import { httpUrl, withoutCredentials, withoutHash } from '../scope/url.js';
import type { HeaderList } from '../warc/http-headers.js';

const IDLE_TIMEOUT_MS = 60_000;
const CONCURRENCY = 4;
const MAX_REDIRECTS = 10;
/** One resource may take this much of the disk; a larger one is reported and left out. */
const MAX_BYTES = 4 * 2 ** 30;

export interface DirectRequest {
  url: string;
  referer?: string;
  pageId?: string;
  resourceType?: string;
}

export interface DirectResult {
  status: number;
  mime: string;
  date: string;
  url: string;
}

interface Settings {
  proxyUrl: string;
  userAgent: string;
  lang?: string;
  spoolDir: string;
  /** Cookie header for a URL; empty for none. */
  cookies: (url: string) => Promise<string>;
  onError: (url: string, message: string) => void;
}

/** Fetches resources by itself, through the guard, with the browser's cookies, and records them. Each URL once. */
export class DirectFetcher {
  private readonly agent: ProxyAgent;
  private readonly results = new Map<string, Promise<DirectResult | null>>();
  private readonly running = new Set<Promise<unknown>>();
  private readonly waiting: (() => void)[] = [];
  private active = 0;
  private spools = 0;
  private readonly abort = new AbortController();

  constructor(
    private readonly settings: Settings,
    private readonly writer: CaptureWriter,
  ) {
    this.agent = new ProxyAgent({
      uri: settings.proxyUrl,
      requestTls: { rejectUnauthorized: false },
      headersTimeout: IDLE_TIMEOUT_MS,
      bodyTimeout: IDLE_TIMEOUT_MS,
    });
  }

  /** The result of the first fetch of this URL, now or earlier; null when it failed. */
  fetch(request: DirectRequest): Promise<DirectResult | null> {
    const url = httpUrl(request.url);
    if (!url || this.abort.signal.aborted) return Promise.resolve(null);
    const key = withoutHash(url.href);
    const known = this.results.get(key);
    if (known) return known;
    const result = this.limited(() => this.follow({ ...request, url: key }));
    this.results.set(key, result);
    this.running.add(result);
    void result.finally(() => this.running.delete(result));
    return result;
  }

  get isBusy(): boolean {
    return this.running.size > 0;
  }

  /** Waits until nothing is being fetched, at most this long. */
  async idle(timeoutMs: number): Promise<void> {
    await settled(Promise.allSettled(this.running), timeoutMs);
  }

  async close(): Promise<void> {
    this.abort.abort();
    await settled(Promise.allSettled(this.running), 2_000);
    await this.agent.destroy().catch(() => undefined);
    await rm(this.settings.spoolDir, { recursive: true, force: true });
  }

  private async limited(task: () => Promise<DirectResult | null>): Promise<DirectResult | null> {
    if (this.active >= CONCURRENCY) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.active++;
    try {
      return await task();
    } finally {
      this.active--;
      this.waiting.shift()?.();
    }
  }

  private async follow(request: DirectRequest): Promise<DirectResult | null> {
    let next = request;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      try {
        const { result, location } = await this.once(next);
        const target = location ? httpUrl(location, next.url) : null;
        if (!target) return result;
        next = { ...next, url: withoutHash(target.href) };
      } catch (error) {
        if (!this.abort.signal.aborted) this.settings.onError(next.url, describe(error));
        return null;
      }
    }
    this.settings.onError(request.url, 'too many redirects');
    return null;
  }

  private async once(request: DirectRequest): Promise<{ result: DirectResult; location: string | null }> {
    const headers = await this.requestHeaders(request);
    const date = nowIso();
    const response = await fetch(withoutCredentials(request.url), {
      headers,
      redirect: 'manual',
      dispatcher: this.agent,
      signal: this.abort.signal,
    });
    const length = Number(response.headers.get('content-length'));
    if (length > MAX_BYTES) {
      await response.body?.cancel();
      throw new Error(`too large to keep: ${length} bytes`);
    }
    const spool = await this.spool(response);
    try {
      await this.record({ request, headers, date, response, spool });
    } finally {
      await rm(spool.path, { force: true });
    }
    const mime = (response.headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
    const result = { status: response.status, mime, date, url: request.url };
    return {
      result,
      location: response.status >= 300 && response.status < 400 ? response.headers.get('location') : null,
    };
  }

  private async requestHeaders(request: DirectRequest): Promise<[string, string][]> {
    const cookies = await this.settings.cookies(request.url);
    const parsed = new URL(request.url);
    const auth = parsed.username
      ? Buffer.from(`${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`).toString('base64')
      : '';
    const list: [string, string][] = [
      ['User-Agent', this.settings.userAgent],
      ['Accept', '*/*'],
      ['Accept-Language', this.settings.lang ? `${this.settings.lang},en;q=0.8` : 'en-US,en;q=0.9'],
    ];
    if (request.referer && /^https?:/.test(request.referer)) list.push(['Referer', withoutHash(request.referer)]);
    if (cookies) list.push(['Cookie', cookies]);
    if (auth) list.push(['Authorization', `Basic ${auth}`]);
    return list;
  }

  private async spool(response: Response): Promise<{ path: string; digest: string }> {
    await mkdir(this.settings.spoolDir, { recursive: true });
    const path = join(this.settings.spoolDir, `spool-${++this.spools}`);
    const hash = createHash('sha256');
    let size = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        hash.update(chunk);
        done(size > MAX_BYTES ? new Error('too large to keep') : null, chunk);
      },
    });
    const body = response.body ? Readable.fromWeb(response.body) : Readable.from([]);
    try {
      await pipeline(body, meter, createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { path, digest: `sha256:${hash.digest('hex')}` };
  }

  private async record(about: {
    request: DirectRequest;
    headers: HeaderList;
    date: string;
    response: Response;
    spool: { path: string; digest: string };
  }): Promise<void> {
    const { request, response } = about;
    await this.writer.exchange({
      request: {
        method: 'GET',
        url: withoutCredentials(request.url),
        headers: new Map(about.headers.map(([name, value]) => [name.toLowerCase(), value])),
        headerList: about.headers,
        body: null,
      },
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers.entries()],
      body: { spool: about.spool.path, digest: about.spool.digest },
      date: about.date,
      ...(request.pageId ? { pageId: request.pageId } : {}),
      ...(request.resourceType ? { resourceType: request.resourceType } : {}),
    });
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause ? `${errorText(error)}: ${errorText(cause)}` : errorText(error);
}
