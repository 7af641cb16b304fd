import { Readable } from 'node:stream';
import { packageWarc } from '../../src/wacz/warc/package-warc.js';
import { packedPerRecord, response, warcinfo } from './warc.js';

/** A WACZ of one WARC with these records, as the service itself packs it. */
export async function waczOf(records: readonly Buffer[], name = 'data.warc.gz'): Promise<Buffer> {
  const packed = packedPerRecord(records);
  const source = {
    name,
    isGzip: true,
    packedBytes: packed.length,
    open: () => Promise.resolve(Readable.from([packed])),
  };
  const chunks: Buffer[] = [];
  for await (const chunk of packageWarc(source, { created: '2026-01-01T00:00:00Z', software: 'test' }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

export interface Captured {
  readonly url: string;
  /** ISO 8601, whole seconds. */
  readonly at: string;
  readonly body?: string;
  readonly mime?: string;
}

/** Records of captures, with a `warcinfo` before them. */
export const recordsOf = (captures: readonly Captured[]): Buffer[] => [
  warcinfo(),
  ...captures.map(({ url, at, body, mime }) =>
    response(url, mime ?? 'text/html', body ?? `<!doctype html><title>${url}</title><p>${at}`, { date: at }),
  ),
];

/** A WACZ of captures. */
export const waczWith = (captures: readonly Captured[], name?: string): Promise<Buffer> =>
  waczOf(recordsOf(captures), name);
