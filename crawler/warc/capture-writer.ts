import { stat } from 'node:fs/promises';
import type { AppendLog } from '../base/append-log.js';
import { cdxKey, compactTimestamp, type CdxKey, type IndexedRequest } from '../../formats/cdx/cdxj.js';
import type { CdxFields, CdxLine } from './cdx.js';
import type { DuplicateIndex, FirstCapture } from './dedupe.js';
import {
  headerValue,
  httpHead,
  mimeOf,
  recordedHeaders,
  statusLine,
  type HeaderList,
} from '../../formats/warc/http-headers.js';
import { newRecordId, sha256, warcHead, wholeRecord, type RecordHeader } from '../../formats/warc/record.js';
import type { OriginalCapture } from '../protocol.js';
import type { Reference, References } from './references.js';
import type { UsedOriginals } from './used-originals.js';
import { withoutUtf16 } from './utf16.js';
import type { PlacedRecord, WarcFile } from './warc-file.js';

const REVISIT_PROFILE = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';

/** A captured exchange. Its body is content-decoded; a large body is in a spool file with its digest. */
export interface Exchange {
  readonly request: IndexedRequest & { headerList: HeaderList };
  readonly status: number;
  readonly statusText?: string;
  readonly headers: HeaderList;
  readonly body: { bytes: Buffer } | { spool: string; digest: string };
  readonly date: string;
  /** Why the body is incomplete, in the terms of the WARC standard. */
  readonly truncated?: Truncation;
  readonly pageId?: string;
  /** Lower-case resource type, for example `document`. */
  readonly resourceType?: string;
}

export type Truncation = 'length' | 'time' | 'disconnect';

/** What became of an exchange. */
export interface WriteOutcome {
  readonly as: 'written' | 'revisit' | 'repeat';
  /** The capture of another item that its record refers to. */
  readonly original?: OriginalCapture;
}

/** Where records are written now: the WARC files and the name of their WACZ. */
export interface Target {
  readonly rec: WarcFile;
  readonly aux: WarcFile;
  readonly wacz: string;
  /** Writes in progress. The files may be closed only after them. */
  readonly inFlight: Set<Promise<unknown>>;
}

/** Turns exchanges and page products into WARC records and index lines. */
export class CaptureWriter {
  private watcher: (exchange: Exchange) => Promise<void> = () => Promise.resolve();
  private readonly recording = new Set<Promise<WriteOutcome>>();

  constructor(
    private readonly target: () => Target,
    private readonly cdx: AppendLog,
    private readonly dedupe: DuplicateIndex,
    private readonly references: References,
    private readonly used: UsedOriginals,
  ) {}

  /** Calls the watcher for each recorded exchange, whichever way it was captured. */
  watch(watcher: (exchange: Exchange) => Promise<void>): void {
    this.watcher = watcher;
  }

  async exchange(given: Exchange): Promise<WriteOutcome> {
    const exchange = recordable(given);
    const recording = this.record(exchange);
    this.recording.add(recording);
    const outcome = await recording.finally(() => this.recording.delete(recording));
    if (outcome.as !== 'repeat') await this.watcher(exchange);
    return outcome;
  }

  /** Resolves when every exchange given so far is recorded. One may wait to learn whether another item holds its body. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.recording);
  }

  /** Whether a 200 of this URL has been recorded. */
  hasCaptured(url: string): boolean {
    const { key } = cdxKey({ method: 'GET', url, headers: new Map(), body: null });
    return this.dedupe.isRepeat({ key, method: 'GET', status: 200, digest: '' });
  }

  /** A `resource` record about the page, such as `urn:text:<url>`. */
  resource(urn: string, mime: string, bytes: Buffer, date: string): Promise<void> {
    return this.tracked((target) => this.writeResource({ urn, mime, bytes, date }, target));
  }

  private async record(exchange: Exchange): Promise<WriteOutcome> {
    const size = 'bytes' in exchange.body ? exchange.body.bytes.length : (await stat(exchange.body.spool)).size;
    const digest = 'bytes' in exchange.body ? sha256(exchange.body.bytes) : exchange.body.digest;
    const index = cdxKey(exchange.request);
    const known = { key: index.key, method: exchange.request.method, status: exchange.status, digest };
    if (this.dedupe.isRepeat(known)) return { as: 'repeat' };
    // Parts of bodies may be equal by chance, so a part neither refers to another record nor is referred to.
    const isPayload = exchange.status === 200 && size > 0 && !exchange.truncated;
    const { url, method } = exchange.request;
    // Marked before anything is waited for, so that a second answer that arrives meanwhile is not written too.
    this.dedupe.see(known);
    const here: FirstCapture = { url, date: exchange.date };
    const reference = isPayload ? await this.references.of({ digest, size, method, here }) : null;
    await this.tracked((target) => {
      if (reference) return this.revisit(exchange, target, { digest, size, index, reference });
      here.wacz = target.wacz;
      return this.response(exchange, target, { digest, size, index });
    });
    if (!reference) return { as: 'written' };
    return { as: 'revisit', ...(reference.original ? { original: reference.original } : {}) };
  }

  private async tracked(write: (target: Target) => Promise<void>): Promise<void> {
    const target = this.target();
    const writing = write(target);
    target.inFlight.add(writing);
    try {
      await writing;
    } finally {
      target.inFlight.delete(writing);
    }
  }

  private async writeResource(
    { urn, mime, bytes, date }: { urn: string; mime: string; bytes: Buffer; date: string },
    { aux, wacz }: Target,
  ): Promise<void> {
    const digest = sha256(bytes);
    const header: RecordHeader = {
      type: 'resource',
      date,
      url: urn,
      contentType: mime,
      extra: [
        ['WARC-Payload-Digest', digest],
        ['WARC-Block-Digest', digest],
      ],
    };
    const placed = await aux.append([wholeRecord(header, bytes)], mime);
    const fields = { url: urn, mime, status: '200', digest, ...place(placed, aux) };
    await this.index({ key: urn, ts: compactTimestamp(date), fields, end: placed.end, wacz, date });
  }

  private async response(
    exchange: Exchange,
    { rec, wacz }: Target,
    about: { digest: string; size: number; index: CdxKey },
  ): Promise<void> {
    const head = httpHead(
      statusLine(exchange.status, exchange.statusText),
      recordedHeaders(exchange.headers, about.size),
    );
    const id = newRecordId();
    const header = responseHeader(exchange, id, [
      ...(exchange.truncated ? ([['WARC-Truncated', exchange.truncated]] as const) : []),
      ['WARC-Payload-Digest', about.digest],
    ]);
    const mime = mimeOf(headerValue(exchange.headers, 'content-type'));
    const request = requestRecord(exchange, id);
    let placed: PlacedRecord;
    if ('bytes' in exchange.body) {
      const block = sha256(head, exchange.body.bytes);
      header.extra = [...header.extra!, ['WARC-Block-Digest', block]];
      placed = await rec.append([wholeRecord(header, head, exchange.body.bytes), request], mime);
    } else {
      const start = Buffer.concat([warcHead(header, head.length + about.size), head]);
      placed = await rec.appendSpooled(start, exchange.body.spool, [request], mime);
    }
    await this.indexExchange(exchange, { ...about, mime, placed, rec, wacz });
  }

  private async revisit(
    exchange: Exchange,
    { rec, wacz }: Target,
    about: { digest: string; size: number; index: CdxKey; reference: Reference },
  ): Promise<void> {
    const { url, date, original } = about.reference;
    const number = original ? await this.used.numberOf(original) : undefined;
    // Without it players look in the revisit's own WACZ and in what they happen to have read of others.
    const container = original?.wacz.name ?? (about.reference.wacz === wacz ? undefined : about.reference.wacz);
    const head = httpHead(
      statusLine(exchange.status, exchange.statusText),
      recordedHeaders(exchange.headers, about.size),
    );
    const id = newRecordId();
    const header = responseHeader(exchange, id, [
      ['WARC-Profile', REVISIT_PROFILE],
      ['WARC-Refers-To-Target-URI', url],
      ['WARC-Refers-To-Date', date],
      ...(container ? ([['WARC-Refers-To-Container', `file://${container}`]] as const) : []),
      ['WARC-Payload-Digest', about.digest],
      ['WARC-Block-Digest', sha256(head)],
    ]);
    header.type = 'revisit';
    const placed = await rec.append([wholeRecord(header, head), requestRecord(exchange, id)], '');
    await this.indexExchange(exchange, { ...about, mime: 'warc/revisit', placed, rec, wacz, original: number });
  }

  private indexExchange(
    exchange: Exchange,
    about: {
      digest: string;
      index: CdxKey;
      mime: string;
      placed: PlacedRecord;
      rec: WarcFile;
      wacz: string;
      original?: number | undefined;
    },
  ): Promise<void> {
    const { key, method, requestBody } = about.index;
    const fields: CdxFields = {
      url: exchange.request.url,
      ...(about.mime ? { mime: about.mime } : {}),
      status: String(exchange.status),
      digest: about.digest,
      ...place(about.placed, about.rec),
      ...(method !== undefined ? { method } : {}),
      ...(requestBody !== undefined ? { requestBody } : {}),
    };
    const { date } = exchange;
    const { wacz, original } = about;
    const line = { key, ts: compactTimestamp(date), fields, end: about.placed.end, wacz, date };
    return this.index({ ...line, ...(original === undefined ? {} : { original }) });
  }

  private index(line: CdxLine): Promise<void> {
    return this.cdx.append(line);
  }
}

/** The exchange to record. Spool files stay as they are: replay does not change media and large bodies. */
function recordable(exchange: Exchange): Exchange {
  if (!('bytes' in exchange.body)) return exchange;
  const { headers, bytes } = withoutUtf16(exchange.headers, exchange.body.bytes);
  return { ...exchange, headers, body: { bytes } };
}

function place(placed: PlacedRecord, file: WarcFile): { length: string; offset: string; filename: string } {
  return { length: String(placed.length), offset: String(placed.offset), filename: file.name };
}

function responseHeader(exchange: Exchange, id: string, extra: (readonly [string, string])[]): RecordHeader {
  return {
    type: 'response',
    id,
    date: exchange.date,
    url: exchange.request.url,
    contentType: 'application/http; msgtype=response',
    extra: [...pageHeaders(exchange), ...extra],
  };
}

function requestRecord(exchange: Exchange, responseId: string): Buffer {
  const { method, url, headerList } = exchange.request;
  const parsed = new URL(url);
  const body = exchange.request.body ?? Buffer.alloc(0);
  const headers: [string, string][] = headerList.map(([name, value]) => [name, value]);
  if (!headerValue(headers, 'host')) headers.unshift(['Host', parsed.host]);
  if (body.length > 0 && !headerValue(headers, 'content-length')) headers.push(['Content-Length', String(body.length)]);
  const head = httpHead(`${method} ${parsed.pathname}${parsed.search} HTTP/1.1`, headers);
  const header: RecordHeader = {
    type: 'request',
    date: exchange.date,
    url,
    contentType: 'application/http; msgtype=request',
    extra: [
      ['WARC-Concurrent-To', responseId],
      ...pageHeaders(exchange),
      ['WARC-Payload-Digest', sha256(body)],
      ['WARC-Block-Digest', sha256(head, body)],
    ],
  };
  return wholeRecord(header, head, body);
}

function pageHeaders(exchange: Exchange): [string, string][] {
  const headers: [string, string][] = [];
  if (exchange.pageId) headers.push(['WARC-Page-ID', exchange.pageId]);
  if (exchange.resourceType) headers.push(['WARC-Resource-Type', exchange.resourceType]);
  return headers;
}
