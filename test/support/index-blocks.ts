import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { zipOf } from './zip.js';
import type { WaczFile } from './wacz-file.js';

/** Lines in a block: so few that a player reads no more of the index than it asks for, as with a large archive. */
const LINES = 2;

/** Writes a copy of the WACZ whose index is in many blocks. */
export async function writeInBlocks(wacz: WaczFile, target: string): Promise<void> {
  const lines = wacz.index.map(({ key, ts, ...fields }) => `${key} ${ts} ${JSON.stringify(fields)}\n`);
  const blocks: Buffer[] = [];
  const table = ['!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}\n'];
  let offset = 0;
  for (let at = 0; at < lines.length; at += LINES) {
    const block = gzipSync(lines.slice(at, at + LINES).join(''));
    const place = { offset, length: block.length, filename: 'index.cdx.gz' };
    table.push(`${lines[at]!.split(' ', 2).join(' ')} ${JSON.stringify(place)}\n`);
    blocks.push(block);
    offset += block.length;
  }
  const kept = wacz.members.filter(({ name }) => !name.startsWith('indexes/'));
  const members = [
    ...kept.map(({ name, bytes }) => ({ name, content: bytes })),
    { name: 'indexes/index.cdx.gz', content: Buffer.concat(blocks) },
    { name: 'indexes/index.idx', content: table.join('') },
  ];
  await writeFile(target, await zipOf(members));
}
