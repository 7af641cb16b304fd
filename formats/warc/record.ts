import { createHash, randomUUID } from 'node:crypto';
import { ascii } from './http-headers.js';

export type WarcType = 'warcinfo' | 'response' | 'request' | 'revisit' | 'resource';

export interface RecordHeader {
  type: WarcType;
  /** ISO time with milliseconds. */
  readonly date: string;
  readonly url?: string;
  readonly contentType: string;
  readonly id?: string;
  /** Further WARC headers, in order. */
  extra?: readonly (readonly [string, string])[];
}

export function newRecordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

export function sha256(...parts: Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `sha256:${hash.digest('hex')}`;
}

/** The WARC header block; the record's block of `blockBytes` and a final CRLF CRLF follow it. */
export function warcHead(header: RecordHeader, blockBytes: number): Buffer {
  const lines = ['WARC/1.1', `WARC-Type: ${header.type}`, `WARC-Record-ID: ${header.id ?? newRecordId()}`];
  if (header.url !== undefined) lines.push(`WARC-Target-URI: ${ascii(header.url)}`);
  lines.push(`WARC-Date: ${header.date}`, `Content-Type: ${header.contentType}`);
  for (const [name, value] of header.extra ?? []) lines.push(`${name}: ${ascii(value)}`);
  lines.push(`Content-Length: ${blockBytes}`);
  return Buffer.from(lines.join('\r\n') + '\r\n\r\n', 'latin1');
}

export const RECORD_END = Buffer.from('\r\n\r\n');

/** A whole record in memory, uncompressed. */
export function wholeRecord(header: RecordHeader, ...block: Uint8Array[]): Buffer {
  const size = block.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([warcHead(header, size), ...block, RECORD_END]);
}
