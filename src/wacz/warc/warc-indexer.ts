import { createHash, type Hash } from 'node:crypto';
import { cdxjLine, cdxKey, compactTimestamp, urlKey, type CdxKey } from '../../../formats/cdx/cdxj.js';
import { mimeOf } from '../../../formats/warc/http-headers.js';
import { decodedStart, methodOf, parseHttp, statusOf, type HttpMessage } from './http-message.js';
import { titleOf } from './page-title.js';
import type { RecordHead } from '../../../formats/warc/record-head.js';
import type { RecordPlace, RecordSink } from './warc-scanner.js';

/** Bytes kept of each block: its HTTP header, and of documents enough to find the title. */
const KEPT_BYTES = 256 * 1024;
const MAX_HTTP_HEAD = 128 * 1024;

/** A document in the WARC file. */
export interface WarcPage {
  readonly url: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly title: string | null;
}

export interface IndexSink {
  /** Takes one line of a CDXJ index, without its end. */
  line(line: string): Promise<void>;
  page(page: WarcPage): Promise<void>;
}

interface Scanned {
  readonly head: RecordHead;
  readonly place: RecordPlace;
  readonly http: HttpMessage | null;
  readonly digest: string;
  readonly title: string | null;
}

const isExchange = (type: string): boolean => type === 'response' || type === 'revisit';
const HTML = new Set(['text/html', 'application/xhtml+xml']);

/**
 * Makes the index lines and the page list of a WARC file. A request counts with the response beside it, because replay
 * looks up answers to POST by the posted body.
 */
export class WarcIndexer implements RecordSink {
  private head: RecordHead | null = null;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private seenBytes = 0;
  /** Start of the payload in the block; null until known, -1 without an HTTP header. */
  private payloadAt: number | null = null;
  private hash: Hash | null = null;
  private last: Scanned | null = null;

  constructor(
    private readonly filename: string,
    private readonly sink: IndexSink,
  ) {}

  begin(head: RecordHead): void {
    this.head = head;
    this.kept = [];
    this.keptBytes = 0;
    this.seenBytes = 0;
    this.payloadAt = isHttp(head) ? null : 0;
    this.hash = head.payloadDigest === '' && isIndexed(head) ? createHash('sha256') : null;
  }

  block(bytes: Buffer): void {
    if (this.keptBytes < KEPT_BYTES) {
      const part = Buffer.from(bytes.subarray(0, KEPT_BYTES - this.keptBytes));
      this.kept.push(part);
      this.keptBytes += part.length;
    }
    const start = this.seenBytes;
    this.seenBytes += bytes.length;
    if (!this.hash) return;
    if (this.payloadAt !== null) {
      this.hash.update(bytes);
      return;
    }
    const known = Buffer.concat(this.kept);
    const http = parseHttp(known);
    if (!http && known.length < MAX_HTTP_HEAD) return;
    this.payloadAt = http ? known.length - http.body.length : 0;
    if (start > 0) this.hash.update(known.subarray(this.payloadAt, start));
    this.hash.update(bytes.subarray(Math.max(0, this.payloadAt - start)));
  }

  async end(place: RecordPlace | null): Promise<void> {
    const { head } = this;
    if (!head || !place) return;
    const http = isHttp(head) ? parseHttp(Buffer.concat(this.kept)) : null;
    const digest = head.payloadDigest || (this.hash ? `sha256:${this.hash.digest('hex')}` : '');
    const isDocument = http !== null && HTML.has(mimeOf(http.headers.get('content-type')));
    const title =
      isDocument && isExchange(head.type) ? titleOf(decodedStart(http), http.headers.get('content-type') ?? '') : null;
    // From here on a response needs only its header; a request also needs its body.
    const slim = http && head.type !== 'request' ? { ...http, body: Buffer.alloc(0) } : http;
    await this.pair({ head, place, http: slim, digest, title });
    this.head = null;
    this.kept = [];
  }

  /** Handles the last record, which has waited for its partner in vain. */
  async flush(): Promise<void> {
    const { last } = this;
    this.last = null;
    if (last) await this.write(last, null);
  }

  private async pair(next: Scanned): Promise<void> {
    const { last } = this;
    const isPair =
      last !== null &&
      last.head.url === next.head.url &&
      ((isExchange(last.head.type) && next.head.type === 'request') ||
        (last.head.type === 'request' && isExchange(next.head.type)));
    if (!isPair) {
      await this.flush();
      this.last = next;
      return;
    }
    this.last = null;
    const [response, request] = next.head.type === 'request' ? [last, next] : [next, last];
    await this.write(response, request.http);
  }

  private async write({ head, place, http, digest, title }: Scanned, request: HttpMessage | null): Promise<void> {
    const ts = timestampOf(head.date);
    if (!isIndexed(head) || ts === null) return;
    const status = http ? statusOf(http) : null;
    const mime =
      head.type === 'revisit' ? 'warc/revisit' : mimeOf(http ? http.headers.get('content-type') : head.contentType);
    const { key, method, requestBody } = indexKey(head.url, request);
    const fields = {
      url: head.url,
      ...(mime ? { mime } : {}),
      ...(status ? { status } : {}),
      ...(digest ? { digest } : {}),
      length: String(place.length),
      offset: String(place.offset),
      filename: this.filename,
      ...(method ? { method } : {}),
      ...(requestBody ? { requestBody } : {}),
    };
    await this.sink.line(cdxjLine({ key, ts: ts.compact, fields }));
    const isPage = head.type === 'response' && status === '200' && HTML.has(mime) && !method && !isFrame(request);
    if (isPage && /^https?:/i.test(head.url)) await this.sink.page({ url: head.url, ts: ts.iso, title });
  }
}

function isHttp({ type, contentType, url }: RecordHead): boolean {
  if (type === 'request' || type === 'revisit') return /^application\/http\b/i.test(contentType);
  return type === 'response' && (/^application\/http\b/i.test(contentType) || /^https?:/i.test(url));
}

function isIndexed({ type, url, contentType }: RecordHead): boolean {
  if (url === '' || /\s/.test(url) || type === 'request' || type === 'warcinfo') return false;
  return !((type === 'metadata' || type === 'resource') && /^application\/warc-fields\b/i.test(contentType));
}

/** Resources for a frame or a script are no pages of their own. */
function isFrame(request: HttpMessage | null): boolean {
  const destination = request?.headers.get('sec-fetch-dest');
  return destination !== undefined && destination !== 'document';
}

function indexKey(url: string, http: HttpMessage | null): CdxKey {
  if (!http) return { key: urlKey(url) };
  return cdxKey({ method: methodOf(http), url, headers: http.headers, body: http.body });
}

function timestampOf(date: string): { compact: string; iso: string } | null {
  const time = new Date(date);
  if (!/^\d{4}-\d\d-\d\dT/.test(date) || Number.isNaN(time.getTime())) return null;
  const iso = time.toISOString();
  return { compact: compactTimestamp(iso), iso };
}
