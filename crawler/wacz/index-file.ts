import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { cdxjLine, type CdxLine } from '../warc/cdx.js';

/** Below this many bytes the index is one plain file. Spec crawling §14.1. */
const PLAIN_LIMIT = 50_000;
/** Lines per block of the compressed index: replay reads one block per look-up. */
const BLOCK_LINES = 3_000;

export interface Member {
  /** Path inside the WACZ. */
  path: string;
  bytes: Buffer;
}

/** The index members of a WACZ: `index.cdxj`, or `index.cdx.gz` with `index.idx`. Sorted bytewise. */
export function indexMembers(lines: readonly CdxLine[]): Member[] {
  const sorted = lines.map((line) => Buffer.from(cdxjLine(line) + '\n')).sort(Buffer.compare);
  const size = sorted.reduce((sum, line) => sum + line.length, 0);
  if (size < PLAIN_LIMIT) return [{ path: 'indexes/index.cdxj', bytes: Buffer.concat(sorted) }];
  const blocks: Buffer[] = [];
  const entries = ['!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}\n'];
  let offset = 0;
  for (let at = 0; at < sorted.length; at += BLOCK_LINES) {
    const part = sorted.slice(at, at + BLOCK_LINES);
    const block = gzipSync(Buffer.concat(part));
    const first = part[0]!.toString('utf8').split(' ', 2).join(' ');
    const digest = `sha256:${createHash('sha256').update(block).digest('hex')}`;
    entries.push(`${first} ${JSON.stringify({ offset, length: block.length, digest, filename: 'index.cdx.gz' })}\n`);
    offset += block.length;
    blocks.push(block);
  }
  return [
    { path: 'indexes/index.cdx.gz', bytes: Buffer.concat(blocks) },
    { path: 'indexes/index.idx', bytes: Buffer.from(entries.join('')) },
  ];
}
