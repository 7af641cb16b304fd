import { gzipSync } from 'node:zlib';

export interface WarcRecord {
  type: string;
  url?: string;
  date?: string;
  contentType?: string;
  block: Buffer | string;
  headers?: Record<string, string>;
}

/** One record, unpacked (ISO 28500). */
export function warcRecord({
  type,
  url,
  date = '2023-05-29T02:53:12Z',
  contentType,
  block,
  headers,
}: WarcRecord): Buffer {
  const bytes = Buffer.from(block as string);
  const fields = {
    'WARC-Type': type,
    'WARC-Record-ID': `<urn:uuid:${crypto.randomUUID()}>`,
    'WARC-Date': date,
    ...(url === undefined ? {} : { 'WARC-Target-URI': url }),
    'Content-Type':
      contentType ?? (type === 'warcinfo' ? 'application/warc-fields' : `application/http; msgtype=${type}`),
    ...headers,
    'Content-Length': String(bytes.length),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`WARC/1.0\r\n${lines.join('\r\n')}\r\n\r\n`), bytes, Buffer.from('\r\n\r\n')]);
}

export const warcinfo = (): Buffer => warcRecord({ type: 'warcinfo', block: 'software: test\r\n' });

/** An answer with status 200. */
export function response(url: string, mime: string, body: Buffer | string, more: Partial<WarcRecord> = {}): Buffer {
  const payload = Buffer.from(body as string);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${mime}\r\nContent-Length: ${payload.length}\r\n\r\n`;
  return warcRecord({ type: 'response', url, block: Buffer.concat([Buffer.from(head), payload]), ...more });
}

export function request(url: string, start: string, body = '', headers: Record<string, string> = {}): Buffer {
  const fields = { Host: new URL(url).host, ...(body ? { 'Content-Length': String(body.length) } : {}), ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return warcRecord({ type: 'request', url, block: `${start} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}` });
}

/** As a `.warc.gz` has to be: each record a gzip member of its own. */
export const packedPerRecord = (records: readonly Buffer[]): Buffer =>
  Buffer.concat(records.map((one) => gzipSync(one)));

/** A site of three documents, a picture and an answer to a POST. */
export function siteRecords(origin = 'https://warc.example'): Buffer[] {
  const page = (title: string, links = ''): string =>
    `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${links}</body></html>`;
  return [
    warcinfo(),
    response(`${origin}/`, 'text/html; charset=utf-8', page('Start &amp; Ziel', '<a href="/second">Second page</a>')),
    request(`${origin}/`, 'GET /'),
    response(`${origin}/second`, 'text/html', page('Zweite Seite ü')),
    response(
      `${origin}/pixel.gif`,
      'image/gif',
      Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64'),
    ),
    request(`${origin}/api`, 'POST /api', '{"q":"muniment"}', { 'Content-Type': 'application/json' }),
    response(`${origin}/api`, 'application/json', '{"found":1}'),
    response(`${origin}/frame`, 'text/html', page('In a frame')),
    request(`${origin}/frame`, 'GET /frame', '', { 'Sec-Fetch-Dest': 'iframe' }),
    warcRecord({ type: 'metadata', url: `${origin}/`, contentType: 'application/warc-fields', block: 'via: x\r\n' }),
  ];
}
