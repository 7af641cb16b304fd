import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { zipOf, type ZipMember } from './zip.js';
import type { IndexLine, WaczFile } from './wacz-file.js';

/** The new body of a record; null removes it, undefined leaves it as it is. */
export type Alteration = (line: IndexLine, body: Buffer) => Buffer | null | undefined;

/** Writes a copy of the WACZ in which records of its WARCs are missing or have another body; the index agrees with it. */
export async function writeAltered(wacz: WaczFile, target: string, alter: Alteration): Promise<void> {
  const parts = new Map<string, Buffer[]>();
  const lengths = new Map<string, number>();
  const index: string[] = [];
  for (const line of wacz.index) {
    const changed = alter(line, wacz.body(line));
    if (changed === null) continue;
    const name = `archive/${line.filename}`;
    const start = Number(line.offset);
    const packed = changed
      ? gzipSync(withBody(wacz.record(line), changed))
      : wacz.member(name).subarray(start, start + Number(line.length));
    const { key, ts, ...fields } = line;
    const digest = changed ? `sha256:${createHash('sha256').update(changed).digest('hex')}` : fields.digest;
    const at = { offset: String(lengths.get(name) ?? 0), length: String(packed.length) };
    index.push(`${key} ${ts} ${JSON.stringify({ ...fields, ...at, digest })}`);
    parts.set(name, [...(parts.get(name) ?? []), packed]);
    lengths.set(name, Number(at.offset) + packed.length);
  }
  const kept = wacz.members.filter(({ name }) => name.startsWith('pages/') || name === 'datapackage.json');
  const members: ZipMember[] = [
    ...[...parts].map(([name, content]) => ({ name, content: Buffer.concat(content) })),
    { name: 'indexes/index.cdxj', content: `${index.join('\n')}\n` },
    ...kept.map(({ name, bytes }) => ({ name, content: bytes })),
  ];
  await writeFile(target, await zipOf(members));
}

/** A response record with another HTTP body; lengths are right, digests left out. */
function withBody(record: Buffer, body: Buffer): Buffer {
  const warcEnd = record.indexOf('\r\n\r\n');
  const httpEnd = record.indexOf('\r\n\r\n', warcEnd + 4);
  const http = record
    .toString('latin1', warcEnd + 4, httpEnd)
    .replace(/^content-length:.*$/im, `content-length: ${String(body.length)}`);
  const block = Buffer.concat([Buffer.from(`${http}\r\n\r\n`, 'latin1'), body]);
  const warc = record
    .toString('latin1', 0, warcEnd)
    .replace(/\r\nWARC-(?:Block|Payload)-Digest:.*/gi, '')
    .replace(/^content-length:.*$/im, `Content-Length: ${String(block.length)}`);
  return Buffer.concat([Buffer.from(`${warc}\r\n\r\n`, 'latin1'), block, Buffer.from('\r\n\r\n')]);
}
