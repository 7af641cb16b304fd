import { gzipSync } from 'node:zlib';
import { sha256 } from '../warc/record.js';
import type { WaczMember } from '../wacz/wacz-writer.js';
import type { SortedLines } from './sorted-lines.js';

/** Below this many bytes the index is one plain file. Spec crawling §14.1. */
const PLAIN_LIMIT = 50_000;
/** Lines per block of the compressed index: replay reads one block per look-up. */
const BLOCK_LINES = 3_000;

/** The index members of a WACZ: `index.cdxj`, or `index.cdx.gz` with its table of blocks, `index.idx`. */
export async function* indexMembers(index: SortedLines): AsyncGenerator<WaczMember> {
  const blocks = inBlocks(index);
  const first = await blocks.next();
  const head = first.done ? [] : first.value;
  if (head.length < BLOCK_LINES && head.reduce((sum, line) => sum + line.length, 0) < PLAIN_LIMIT) {
    yield { path: 'indexes/index.cdxj', content: head };
    return;
  }
  const table = ['!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}\n'];
  let offset = 0;
  const packed = (lines: Buffer[]): Buffer => {
    const block = gzipSync(Buffer.concat(lines));
    const start = lines[0]!.toString('utf8').split(' ', 2).join(' ');
    const place = { offset, length: block.length, digest: sha256(block), filename: 'index.cdx.gz' };
    table.push(`${start} ${JSON.stringify(place)}\n`);
    offset += block.length;
    return block;
  };
  async function* all(): AsyncGenerator<Buffer> {
    yield packed(head);
    for await (const lines of blocks) yield packed(lines);
  }
  yield { path: 'indexes/index.cdx.gz', content: all() };
  yield { path: 'indexes/index.idx', content: [Buffer.from(table.join(''))] };
}

async function* inBlocks(index: SortedLines): AsyncGenerator<Buffer[]> {
  let block: Buffer[] = [];
  for await (const line of index.sorted()) {
    block.push(Buffer.concat([line, Buffer.from('\n')]));
    if (block.length < BLOCK_LINES) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}
