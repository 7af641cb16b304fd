import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { fetch, ProxyAgent, type Response } from 'undici';
import { errorText, nowIso, settled } from '../base/time.js';
import { OWN_FETCH } from '../guard/guard-proxy.js';
import type { CaptureWriter, Truncation } from '../warc/capture-writer.js';
import { httpUrl, withoutCredentials, withoutHash } from '../scope/url.js';
import type { HeaderList } from '../../formats/warc/http-headers.js';
import { spool, type Spooled } from './spool.js';

const IDLE_TIMEOUT_MS = 60_000;
const CONCURRENCY = 4;
const MAX_REDIRECTS = 10;
/** Most bytes and longest time of one resource. The rest of a larger one is left out. */
const MAX_BYTES = 4 * 2 ** 30;
const MAX_MS = 1_800_000;
/** Bytes that must arrive in each interval of a response that may be endless. */
const ENDLESS = { checkMs: 20_000, leastBytes: 2 ** 20 };
/** How long the parts of fetches that were cut off may take to be written. */
const FLUSH_MS = 300_000;

export interface DirectRequest {
  readonly url: string;
  readonly referer?: string;
  readonly pageId?: string;
  readonly resourceType?: string;
  /** True when the response did not end in the browser. It is cut off as soon as it comes too slowly. */
  readonly mayBeEndless?: boolean;
}

export interface DirectResult {
  readonly status: number;
  readonly mime: string;
  readonly date: string;
  readonly url: string;
  /** Size of the body, bytes. */
  readonly bytes: number;
}

interface Settings {
  readonly proxyUrl: string;
  readonly userAgent: string;
  readonly lang?: string;
  readonly spoolDir: string;
  readonly maxBytes?: number;
  /** Gives the cookie header for a URL; empty for none. */
  readonly cookies: (url: string) => Promise<string>;
  readonly onError: (url: string, message: string) => void;
  /** Called for a response whose rest is left out. */
  readonly onPartial: (url: string, reason: Truncation) => void;
}

/** Fetches resources outside the browser, through the guard with the browser's cookies, and records each URL once. */
export class DirectFetcher {
  private readonly agent: ProxyAgent;
  private readonly results = new Map<string, Promise<DirectResult | null>>();
  private readonly running = new Set<Promise<unknown>>();
  private readonly limit = pLimit(CONCURRENCY);
  private spools = 0;
  /** Controllers that end the running fetches. */
  private readonly cuts = new Set<AbortController>();
  private ending: 'keep' | 'discard' | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly writer: CaptureWriter,
  ) {
    this.agent = new ProxyAgent({
      uri: settings.proxyUrl,
      token: OWN_FETCH,
      requestTls: { rejectUnauthorized: false },
      headersTimeout: IDLE_TIMEOUT_MS,
      bodyTimeout: IDLE_TIMEOUT_MS,
    });
  }

  /** Fetches a URL once and gives every caller that result; null when it failed. */
  fetch(request: DirectRequest): Promise<DirectResult | null> {
    const url = httpUrl(request.url);
    if (!url || this.ending !== null) return Promise.resolve(null);
    const key = withoutHash(url.href);
    const known = this.results.get(key);
    if (known) return known;
    const result = this.limit(() => this.follow({ ...request, url: key }));
    this.results.set(key, result);
    this.running.add(result);
    void result.finally(() => this.running.delete(result));
    return result;
  }

  /** Waits for all fetches for at most `timeoutMs`. Fetches that still run then keep what has come. */
  async finish(timeoutMs: number): Promise<void> {
    await settled(Promise.allSettled(this.running), timeoutMs);
    this.end('keep');
    await settled(Promise.allSettled(this.running), FLUSH_MS);
  }

  async close(): Promise<void> {
    this.end('discard');
    await settled(Promise.allSettled(this.running), 2_000);
    await this.agent.destroy().catch(() => undefined);
    await rm(this.settings.spoolDir, { recursive: true, force: true });
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
        if (this.ending === null) this.settings.onError(next.url, describe(error));
        return null;
      }
    }
    this.settings.onError(request.url, 'too many redirects');
    return null;
  }

  private end(how: 'keep' | 'discard'): void {
    this.ending = how;
    for (const cut of this.cuts) cut.abort();
  }

  private async once(request: DirectRequest): Promise<{ result: DirectResult; location: string | null }> {
    const cut = new AbortController();
    const progress = { bytes: 0 };
    const timer = setTimeout(() => cut.abort(), MAX_MS);
    const checks = setInterval(() => {
      if (request.mayBeEndless && progress.bytes < ENDLESS.leastBytes) cut.abort();
      progress.bytes = 0;
    }, ENDLESS.checkMs);
    this.cuts.add(cut);
    try {
      if (this.ending !== null) cut.abort();
      return await this.fetchAndRecord(request, cut.signal, progress);
    } finally {
      clearTimeout(timer);
      clearInterval(checks);
      this.cuts.delete(cut);
    }
  }

  private async fetchAndRecord(
    request: DirectRequest,
    cut: AbortSignal,
    progress: { bytes: number },
  ): Promise<{ result: DirectResult; location: string | null }> {
    const headers = await this.requestHeaders(request);
    const date = nowIso();
    const response = await fetch(withoutCredentials(request.url), {
      headers,
      redirect: 'manual',
      dispatcher: this.agent,
      signal: cut,
    });
    const spooled = await this.spool(response, cut, progress);
    try {
      await this.record({ request, headers, date, response, spooled });
    } finally {
      await rm(spooled.path, { force: true });
    }
    const mime = (response.headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
    const result = { status: response.status, mime, date, url: request.url, bytes: spooled.size };
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

  private async spool(response: Response, cut: AbortSignal, progress: { bytes: number }): Promise<Spooled> {
    const { spoolDir, maxBytes = MAX_BYTES, onPartial } = this.settings;
    await mkdir(spoolDir, { recursive: true });
    const body = response.body ? Readable.fromWeb(response.body) : Readable.from([]);
    const why = (): Truncation | null => (this.ending === 'discard' ? null : cut.aborted ? 'time' : 'disconnect');
    const path = join(spoolDir, `spool-${++this.spools}`);
    const spooled = await spool(body, path, { mostBytes: maxBytes, why, progress });
    if (spooled.truncated) onPartial(response.url, spooled.truncated);
    return spooled;
  }

  private async record(about: {
    request: DirectRequest;
    headers: HeaderList;
    date: string;
    response: Response;
    spooled: Spooled;
  }): Promise<void> {
    const { request, response, spooled } = about;
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
      body: { spool: spooled.path, digest: spooled.digest },
      date: about.date,
      ...(spooled.truncated ? { truncated: spooled.truncated } : {}),
      ...(request.pageId ? { pageId: request.pageId } : {}),
      ...(request.resourceType ? { resourceType: request.resourceType } : {}),
    });
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause ? `${errorText(error)}: ${errorText(cause)}` : errorText(error);
}
