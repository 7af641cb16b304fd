import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { OriginalCapture } from '../../crawler/protocol.js';
import { digestOf, WaczFile, type IndexLine } from './wacz-file.js';

/** An index of what WACZs hold, as the service makes one of their indexes. */
export class KnownOriginals {
  private readonly byDigest = new Map<string, OriginalCapture>();
  /** Digests of all questions. */
  readonly asked: string[] = [];

  /** @param itemId whose WACZs they are */
  add(itemId: string, ...paths: readonly string[]): this {
    for (const path of paths) {
      const wacz = { name: basename(path), hash: digestOf(path), size: statSync(path).size };
      for (const line of new WaczFile(path).index) {
        if (!isOriginal(line) || this.byDigest.has(line.digest)) continue;
        const { digest, url, length, ts } = line;
        this.byDigest.set(digest, { digest, url, date: isoOf(ts), size: Number(length), itemId, wacz });
      }
    }
    return this;
  }

  readonly find = (digests: readonly string[]): OriginalCapture[] => {
    this.asked.push(...digests);
    return digests.flatMap((digest) => this.byDigest.get(digest) ?? []);
  };
}

const isOriginal = ({ url, status, mime, method }: IndexLine): boolean =>
  status === '200' && mime !== 'warc/revisit' && !url.startsWith('urn:') && method === undefined;

/** `20201121064456283` -> `2020-11-21T06:44:56.283Z` */
const isoOf = (ts: string): string =>
  ts.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/, '$1-$2-$3T$4:$5:$6.$7Z');

/** WARC headers of the record that a line points to, names in lower case. */
export function warcHeaders(wacz: WaczFile, line: IndexLine): Map<string, string> {
  const [head = ''] = wacz.record(line).toString('utf8').split('\r\n\r\n', 1);
  return new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 2)]),
  );
}

/** `relation.requires` of a WACZ. */
export function requiresOf(wacz: WaczFile): unknown {
  const { relation } = JSON.parse(wacz.member('datapackage.json').toString()) as { relation?: { requires: unknown } };
  return relation?.requires;
}

/** Bytes of the records of these WACZs as a whole. */
export const bytesOf = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + readFileSync(path).length, 0);
