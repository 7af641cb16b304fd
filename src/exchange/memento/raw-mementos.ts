import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { compactTimestamp } from '../../../formats/cdx/cdxj.js';
import { baseName } from '../../common/text/base-name.js';
import { parseUrl } from '../../common/text/parse-url.js';
import { Storages } from '../../storage/storages.js';
import { ObjectByteSource } from '../../wacz/object-byte-source.js';
import type { CaptureSource } from '../cdx/capture-lines.js';
import { archiveFault } from '../archive-faults.js';
import { NoCaptures } from '../exchange.errors.js';
import type { Capture } from '../rules/capture.js';
import { dechunked, readRecord, type ArchivedRecord } from './archived-record.js';
import type { MementoLinks } from './memento-links.js';
import { Mementos } from './mementos.js';

/**
 * What archived documents may do on this origin, where people are logged in: nothing. Scripts and style sheets are not
 * even sent as such, so that no page can load them from here (ADR 0005).
 */
const HARMLESS = { 'Content-Security-Policy': "sandbox; default-src 'none'", 'X-Content-Type-Options': 'nosniff' };
const LOADED_BY_PAGES = /script|css|json|wasm|manifest/i;
/** Header lines of the archived response that are told, and the bytes of one. */
const MAX_HEADERS = 60;
const MAX_VALUE = 500;

/** Sends the bytes of a capture as they were archived. */
@Injectable()
export class RawMementos {
  constructor(
    private readonly storages: Storages,
    private readonly mementos: Mementos,
  ) {}

  /** @throws NoCaptures, UnreadableArchive, ArchiveUnavailable */
  async send(
    source: CaptureSource,
    { capture, ts, links }: { capture: Capture; ts: string; links: MementoLinks },
    { request, response }: { request: IncomingMessage; response: ServerResponse },
  ): Promise<void> {
    const record = await this.recordOf(source, capture);
    response.writeHead(record.status ?? 200, { ...headersOf(record, ts, links), ...HARMLESS });
    if (request.method === 'HEAD') {
      await record.body.return(undefined);
      response.end();
      return;
    }
    const body = isChunked(record) ? dechunked(record.body) : record.body;
    try {
      await pipeline(Readable.from(body, { objectMode: false }), response);
    } catch {
      response.destroy();
    }
  }

  /** The record of a capture; that of an earlier one where the capture says that nothing had changed. */
  private async recordOf(source: CaptureSource, capture: Capture): Promise<ArchivedRecord> {
    try {
      const record = await this.read(source, capture);
      if (record.type !== 'revisit') return record;
      await record.body.return(undefined);
      return await this.read(source, await this.originalOf(source, capture, record));
    } catch (error) {
      throw archiveFault(error);
    }
  }

  private async originalOf(source: CaptureSource, capture: Capture, { fields }: ArchivedRecord): Promise<Capture> {
    const url = fields.get('warc-refers-to-target-uri') ?? fields.get('warc-target-uri') ?? '';
    const time = compactTimestamp(fields.get('warc-refers-to-date') ?? '').slice(0, 14);
    for await (const other of this.mementos.of(source, url.replace(/^<(.*)>$/, '$1'))) {
      const isRevisit = String(other.fields['mime']) === 'warc/revisit';
      const isSame = time === '' ? other.fields['digest'] === capture.fields['digest'] : other.ts.startsWith(time);
      if (!isRevisit && isSame) return other;
    }
    throw new NoCaptures();
  }

  private async read({ org, files }: CaptureSource, { fields }: Capture): Promise<ArchivedRecord> {
    const file = files.find(({ filename }) => baseName(filename) === fields['wacz']);
    if (!file) throw new NoCaptures();
    const source = new ObjectByteSource(this.storages.resolve(org, file.storage), file.filename, file.size);
    const [offset, length] = [Number(fields['offset']), Number(fields['length'])];
    return readRecord(source, { filename: String(fields['filename'] ?? ''), offset, length });
  }
}

const isChunked = ({ headers }: ArchivedRecord): boolean => /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '');

function headersOf(record: ArchivedRecord, ts: string, links: MementoLinks): Record<string, string> {
  const { headers, fields, status } = record;
  const archived = status === null ? fields.get('content-type') : headers.get('content-type');
  const type = plain(archived ?? 'application/octet-stream');
  const encoding = headers.get('content-encoding');
  const told = [...headers].slice(0, MAX_HEADERS).filter(([name]) => /^[\w-]{1,80}$/.test(name));
  return {
    ...Object.fromEntries(told.map(([name, value]) => [`X-Archive-Orig-${name}`, plain(value)])),
    'Content-Type': LOADED_BY_PAGES.test(type) ? 'text/plain; charset=utf-8' : type,
    ...(encoding && /^(gzip|br|deflate|zstd)$/i.test(encoding) ? { 'Content-Encoding': encoding } : {}),
    ...(isChunked(record) ? {} : { 'Content-Length': String(record.bodyBytes) }),
    ...locationOf(record, ts, links),
  };
}

/** A redirect leads on within the archive. */
function locationOf({ status, headers }: ArchivedRecord, ts: string, links: MementoLinks): Record<string, string> {
  const target = status !== null && status >= 300 && status < 400 ? headers.get('location') : undefined;
  const url = target === undefined ? null : parseUrl(target, links.original);
  return url ? { Location: links.raw(ts, url.href) } : {};
}

const plain = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_VALUE);
