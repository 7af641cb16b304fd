import type { CDPSession } from 'playwright-core';
import { errorText, nowIso, settled } from '../base/time.js';
import type { Traffic } from '../guard/traffic.js';
import type { OriginalCapture } from '../protocol.js';
import { withoutCredentials } from '../scope/url.js';
import type { CaptureWriter, Exchange, WriteOutcome } from '../warc/capture-writer.js';
import { headerValue, mimeOf, type HeaderList } from '../../formats/warc/http-headers.js';
import { BodyReader, BodyUnread } from './body-reader.js';
import type { DirectFetcher } from './direct-fetch.js';
import { isTooLargeFor, treatment } from './rules.js';
import { StreamTap } from './stream-tap.js';

declare const _anySession: CDPSession;
/** Playwright exports its protocol types only through the session's signatures. */
type Paused = Parameters<Parameters<typeof _anySession.on<'Fetch.requestPaused'>>[1]>[0];

/** The browser is held back while more than this waits to be written. */
const MAX_WAITING_BYTES = 64 * 2 ** 20;
/** Most streams of one page at a time. */
const MAX_STREAMS = 20;

export interface MainDocument {
  readonly url: string;
  readonly status: number;
  readonly mime: string;
  readonly date: string;
  readonly headers: HeaderList;
}

/**
 * Headers of a document of which nothing but its links is wanted. The browser itself then asks for nothing that belongs
 * to it and runs none of its scripts; it does not follow `refresh` either.
 */
const BARE: HeaderList = [
  ['content-security-policy', "default-src 'none'; sandbox"],
  ['x-dns-prefetch-control', 'off'],
];

/** The page a captured response belongs to. */
export interface CaptureOwner {
  readonly pageId: string;
  readonly mainFrameId: string;
  /** The DevTools session of its page. */
  readonly session: CDPSession;
  noteDocument(document: MainDocument): void;
  /** Whether the visit ends with the document noted last when an earlier item holds it for the same address. */
  readonly maySkip: boolean;
  /** Ends the visit with its document, without what belongs to it. */
  skip(original: OriginalCapture): void;
  noteError(url: string, error: string): void;
}

interface OpenStream {
  readonly tap: StreamTap;
  readonly exchange: Omit<Exchange, 'body'>;
}

interface Services {
  readonly writer: CaptureWriter;
  readonly direct: DirectFetcher;
  readonly traffic: Traffic;
  /** How long a page may load, ms. */
  readonly loadTimeoutMs: number;
  /** Gives the page of a frame. Unknown frames (workers) count for the page that is being visited. */
  readonly ownerOf: (frameId: string | undefined) => CaptureOwner | null;
  /** Whether the frame is that of a window that gets no document: a page opened it as a link. */
  readonly refusesWindow: (frameId: string, url: string) => boolean;
  readonly isBlocked: (url: string, resourceType: string) => boolean;
  readonly onError: (url: string, message: string) => void;
}

/** Records every response of the browser at the moment it arrives, before the page sees it. Design crawler.md §6. */
export class FetchCapture {
  private readonly writes = new Set<Promise<unknown>>();
  private waitingBytes = 0;
  private readonly bodies: BodyReader;
  /** Streams that pages still listen to. */
  private readonly streams = new Map<CaptureOwner, OpenStream[]>();

  constructor(
    private readonly session: CDPSession,
    private readonly services: Services,
  ) {
    this.bodies = new BodyReader(session, services.traffic, services.loadTimeoutMs);
  }

  async start(blocking: boolean): Promise<void> {
    this.session.on('Fetch.requestPaused', (event) => void this.paused(event));
    await this.session.send('Fetch.enable', {
      patterns: [
        { urlPattern: '*', requestStage: 'Response' },
        { urlPattern: '*', resourceType: 'Media', requestStage: 'Request' },
        { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' },
        ...(blocking ? [{ urlPattern: '*', requestStage: 'Request' as const }] : []),
      ],
    });
  }

  /** Waits until all captured responses are written, at most `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    await settled(Promise.allSettled(this.writes), timeoutMs);
  }

  /** Writes what the streams of a page have brought when the page is left. */
  async endStreams(owner: CaptureOwner): Promise<void> {
    const streams = this.streams.get(owner) ?? [];
    this.streams.delete(owner);
    for (const { tap, exchange } of streams) {
      const { bytes, truncated } = tap.end();
      await this.write({ ...exchange, body: { bytes }, ...(truncated ? { truncated } : {}) });
    }
  }

  private async paused(event: Paused): Promise<void> {
    if (event.responseStatusCode === undefined && event.responseErrorReason === undefined) return this.requested(event);
    let answered = false;
    const resume = async () => {
      if (answered) return;
      answered = true;
      await this.session.send('Fetch.continueResponse', { requestId: event.requestId }).catch(() => undefined);
    };
    try {
      await this.responded(event, resume, () => (answered = true));
    } catch (error) {
      if (!isCancelled(error)) this.services.onError(event.request.url, errorText(error));
    } finally {
      await resume();
    }
  }

  private async requested(event: Paused): Promise<void> {
    const { requestId, request, resourceType } = event;
    const refused = resourceType === 'Document' && this.services.refusesWindow(event.frameId, request.url);
    if (refused || this.services.isBlocked(request.url, resourceType)) {
      await this.session
        .send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
        .catch(() => undefined);
      return;
    }
    const whole = /^bytes=0-$/.test(headerOf(request.headers, 'range') ?? '') && resourceType === 'Media';
    // Without the range the server sends one 200, which is stored whole; a partial 206 would not replay.
    const headers = whole
      ? Object.entries(request.headers).flatMap(([name, value]) =>
          name.toLowerCase() === 'range' ? [] : [{ name, value: String(value) }],
        )
      : undefined;
    await this.session
      .send('Fetch.continueRequest', { requestId, ...(headers ? { headers } : {}) })
      .catch(() => undefined);
  }

  private async responded(event: Paused, resume: () => Promise<void>, markAnswered: () => void): Promise<void> {
    const { request, resourceType } = event;
    const status = event.responseStatusCode;
    if (event.responseErrorReason !== undefined || status === undefined) return;
    const headers: HeaderList = (event.responseHeaders ?? []).map(({ name, value }) => [name, value]);
    const owner = this.services.ownerOf(event.frameId);
    const url = withoutCredentials(request.url);
    const how = treatment({ url, method: request.method, resourceType, status, headers });
    const date = nowIso();
    if (how !== 'pass') this.noteDocument(event, owner, { url, status, headers, date });
    if (how === 'pass') return;
    if (how === 'direct') {
      this.fetchDirectly(event, owner);
      if (!isTooLargeFor({ resourceType, headers })) return;
      markAnswered();
      return this.fail(event, owner, new BodyUnread('huge'));
    }
    if (how === 'stream') return this.follow(event, owner, { url, date, headers });
    const bytes = how === 'empty' ? Buffer.alloc(0) : await this.body(event, owner, markAnswered);
    if (!bytes) return;
    const exchange = exchangeOf(event, { url, date, owner, headers, wholeRange: how === 'whole-range' });
    if (owner?.maySkip && isDocumentOf(event, owner) && request.method === 'GET') {
      const { original } = await this.write({ ...exchange, body: { bytes } });
      // Without a page that has loaded, the earlier item may lack what belongs to the document.
      if (original?.url !== url || original.isPage === false) return;
      owner.skip(original);
      await this.showBare(event, headers, bytes);
      return markAnswered();
    }
    if (this.waitingBytes < MAX_WAITING_BYTES) await resume();
    await this.write({ ...exchange, body: { bytes } });
  }

  /** Gives the page its document, of which it can read the links, and nothing else. */
  private async showBare({ requestId }: Paused, headers: HeaderList, bytes: Buffer): Promise<void> {
    const type = headerValue(headers, 'content-type');
    const shown: HeaderList = [...(type ? [['content-type', type] as const] : []), ...BARE];
    await this.session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: shown.map(([name, value]) => ({ name, value })),
      body: bytes.toString('base64'),
    });
  }

  private async follow(
    event: Paused,
    owner: CaptureOwner | null,
    about: { url: string; date: string; headers: HeaderList },
  ): Promise<void> {
    const streams = (owner && this.streams.get(owner)) ?? [];
    if (!owner || event.networkId === undefined || streams.length >= MAX_STREAMS) return;
    const tap = await StreamTap.open(owner.session, event.networkId);
    if (!tap) return;
    streams.push({ tap, exchange: exchangeOf(event, { ...about, owner, wholeRange: false }) });
    this.streams.set(owner, streams);
  }

  /** Returns the body; null when the browser can't give it and the crawler must fetch it. */
  private async body(event: Paused, owner: CaptureOwner | null, markAnswered: () => void): Promise<Buffer | null> {
    const { requestId, request } = event;
    try {
      return await this.bodies.read(requestId, request.url);
    } catch (error) {
      if (!(error instanceof BodyUnread)) throw error;
      markAnswered();
      await this.fail(event, owner, error);
      // A repeated request with another method may get another answer or do something twice.
      if (request.method === 'GET') this.fetchDirectly(event, owner, { mayBeEndless: true });
      return null;
    }
  }

  private fetchDirectly(event: Paused, owner: CaptureOwner | null, { mayBeEndless = false } = {}): void {
    const { request, resourceType } = event;
    const referer = headerOf(request.headers, 'referer');
    void this.services.direct.fetch({
      url: request.url,
      resourceType: resourceType.toLowerCase(),
      ...(referer ? { referer } : {}),
      ...(owner ? { pageId: owner.pageId } : {}),
      mayBeEndless,
    });
  }

  private async fail({ requestId, request }: Paused, owner: CaptureOwner | null, why: BodyUnread): Promise<void> {
    owner?.noteError(request.url, why.message);
    const errorReason = why.reason === 'endless' ? 'TimedOut' : 'Aborted';
    await this.session.send('Fetch.failRequest', { requestId, errorReason }).catch(() => undefined);
  }

  private async write(exchange: Exchange): Promise<WriteOutcome> {
    const size = 'bytes' in exchange.body ? exchange.body.bytes.length : 0;
    this.waitingBytes += size;
    const writing = this.services.writer.exchange(exchange);
    this.writes.add(writing);
    try {
      return await writing;
    } finally {
      this.writes.delete(writing);
      this.waitingBytes -= size;
    }
  }

  private noteDocument(
    event: Paused,
    owner: CaptureOwner | null,
    about: { url: string; status: number; headers: HeaderList; date: string },
  ): void {
    if (!owner || !isDocumentOf(event, owner)) return;
    if (about.status >= 300 && about.status < 400) return;
    const mime = mimeOf(headerValue(about.headers, 'content-type'));
    owner.noteDocument({ url: about.url, status: about.status, mime, date: about.date, headers: about.headers });
  }
}

const isDocumentOf = (event: Paused, owner: CaptureOwner): boolean =>
  event.resourceType === 'Document' && event.frameId === owner.mainFrameId;

function exchangeOf(
  event: Paused,
  about: {
    url: string;
    date: string;
    owner: CaptureOwner | null;
    headers: HeaderList;
    wholeRange: boolean;
  },
): Omit<Exchange, 'body'> {
  const { request } = event;
  const list = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const headers = about.wholeRange
    ? about.headers.filter(([name]) => name.toLowerCase() !== 'content-range')
    : about.headers;
  return {
    request: {
      method: request.method,
      url: about.url,
      headers: new Map(list.map(([name, value]) => [name.toLowerCase(), value])),
      headerList: about.wholeRange ? list.filter(([name]) => name.toLowerCase() !== 'range') : list,
      body: postBody(request),
    },
    status: about.wholeRange ? 200 : event.responseStatusCode!,
    ...(event.responseStatusText && !about.wholeRange ? { statusText: event.responseStatusText } : {}),
    headers,
    date: about.date,
    ...(about.owner ? { pageId: about.owner.pageId } : {}),
    resourceType: event.resourceType.toLowerCase(),
  };
}

function postBody(request: Paused['request']): Buffer | null {
  const entries = request.postDataEntries ?? [];
  if (entries.length === 0) return request.postData === undefined ? null : Buffer.from(request.postData);
  return Buffer.concat(entries.map((entry) => Buffer.from(entry.bytes ?? '', 'base64')));
}

function headerOf(headers: Record<string, unknown>, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return found ? String(found[1]) : undefined;
}

/** A navigation cancels paused requests, so the response never reached a page. */
function isCancelled(error: unknown): boolean {
  return /Invalid InterceptionId|Can only get response body|Target closed|has been closed|Session closed/i.test(
    errorText(error),
  );
}
