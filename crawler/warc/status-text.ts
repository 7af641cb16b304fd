import { STATUS_CODES } from 'node:http';

/** HTTP/2 has no reason phrase, WARC wants a status line that parsers of HTTP/1.1 read. */
export function statusLine(status: number, text?: string): string {
  const phrase = (text && text.replace(/[^\x20-\x7e]/g, '')) || STATUS_CODES[status] || 'Unknown';
  return `HTTP/1.1 ${status} ${phrase}`;
}
