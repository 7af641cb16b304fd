import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { findPythonTools } from '../../scripts/provision/python.mjs';

const run = promisify(execFile);

export interface ZipMember {
  name: string;
  /** 0: stored. */
  method: number;
  bytes: Buffer;
}

export interface IndexLine {
  key: string;
  ts: string;
  url: string;
  mime?: string;
  status?: string;
  digest: string;
  offset: string;
  length: string;
  filename: string;
  method?: string;
  requestBody?: string;
}

/** A WACZ read by the tests' own code, so that a fault of the product's reader can't hide one of its writer. */
export class WaczFile {
  readonly members: ZipMember[];

  constructor(readonly path: string) {
    this.members = readZip(readFileSync(path));
  }

  member(name: string): Buffer {
    const found = this.members.find((member) => member.name === name);
    if (!found) throw new Error(`no member ${name}`);
    return found.bytes;
  }

  get warcs(): ZipMember[] {
    return this.members.filter(({ name }) => name.startsWith('archive/'));
  }

  get pages(): Record<string, unknown>[] {
    return ['pages/pages.jsonl', 'pages/extraPages.jsonl'].flatMap((name) =>
      this.member(name)
        .toString('utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );
  }

  /** Index lines in the order of the file. */
  get index(): IndexLine[] {
    const plain = this.members.find(({ name }) => name === 'indexes/index.cdxj');
    const text = plain ? plain.bytes : gunzipSync(this.member('indexes/index.cdx.gz'));
    return text
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [key = '', ts = ''] = line.split(' ', 2);
        return { key, ts, ...(JSON.parse(line.slice(key.length + ts.length + 2)) as Omit<IndexLine, 'key' | 'ts'>) };
      });
  }

  lines(url: string): IndexLine[] {
    return this.index.filter((line) => line.url === url);
  }

  /** The record an index line points to, uncompressed. */
  record(line: IndexLine): Buffer {
    const warc = this.member(`archive/${line.filename}`);
    const start = Number(line.offset);
    return gunzipSync(warc.subarray(start, start + Number(line.length)));
  }

  /** The HTTP body (or resource) of the record an index line points to. */
  body(line: IndexLine): Buffer {
    const record = this.record(line);
    const afterWarc = record.indexOf('\r\n\r\n') + 4;
    const start = line.url.startsWith('urn:') ? afterWarc : record.indexOf('\r\n\r\n', afterWarc) + 4;
    return record.subarray(start, record.length - 4);
  }

  json(urn: string): Record<string, unknown> {
    const line = this.lines(urn)[0];
    if (!line) throw new Error(`no record ${urn}`);
    return JSON.parse(this.body(line).toString('utf8')) as Record<string, unknown>;
  }
}

const held = new Set<string>();

/** Whether `faultsOf` has looked at a file of these bytes, wherever it lay. */
export const wasHeld = (path: string): boolean => held.has(digestOf(path));

export const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Holds the file to `wacz validate`, `warcio check`, `gzip -t` and the independent indexer; returns what they found wrong. */
export async function faultsOf(path: string): Promise<string[]> {
  held.add(digestOf(path));
  const faults: string[] = [];
  const tools = await findPythonTools();
  const folder = mkdtempSync(join(tmpdir(), 'muniment-wacz-'));
  try {
    const wacz = new WaczFile(path);
    if (tools) await attempt(faults, join(tools.bin, 'wacz'), ['validate', '-f', path]);
    for (const warc of wacz.warcs) {
      const file = join(folder, warc.name.slice('archive/'.length));
      writeFileSync(file, warc.bytes);
      await attempt(faults, 'gzip', ['-t', file]);
      if (tools && existsSync(join(tools.bin, 'warcio')))
        await attempt(faults, join(tools.bin, 'warcio'), ['check', file]);
    }
    for (const member of wacz.members) if (member.method !== 0) faults.push(`${member.name} is deflated`);
    if (tools) faults.push(...(await indexDifferences(wacz, folder, join(tools.bin, 'cdxj-indexer'))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return faults;
}

const COMPARED = ['url', 'offset', 'length', 'status', 'mime', 'method', 'requestBody'] as const;

/** Our index against the one the Python indexer makes of the same WARCs. */
async function indexDifferences(wacz: WaczFile, folder: string, indexer: string): Promise<string[]> {
  const files = wacz.warcs.map(({ name }) => join(folder, name.slice('archive/'.length)));
  const { stdout } = await run(indexer, ['--post-append', ...files], { maxBuffer: 1 << 28 });
  const theirs = new Map<string, Record<string, string>>();
  for (const line of stdout.trim().split('\n')) {
    const fields = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>;
    theirs.set(`${fields['filename']}:${fields['offset']}`, { key: line.split(' ', 1)[0]!, ...fields });
  }
  return wacz.index.flatMap((ours) => {
    if (ours.url.startsWith('urn:')) return [];
    const other = theirs.get(`${ours.filename}:${ours.offset}`);
    if (!other) return [`index: ${ours.url} is unknown to the indexer`];
    const names = COMPARED.filter((name) => (ours[name] ?? '') !== (other[name] ?? '') && name !== 'requestBody');
    return names.map((name) => `index: ${ours.url} ${name}: ${ours[name]} against ${other[name]}`);
  });
}

async function attempt(faults: string[], program: string, args: string[]): Promise<void> {
  try {
    await run(program, args);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    faults.push(`${program} ${args.join(' ')}: ${stdout}${stderr}`.slice(0, 2_000));
  }
}

function readZip(data: Buffer): ZipMember[] {
  const end = data.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = data.readUInt16LE(end + 10);
  let at = data.readUInt32LE(end + 16);
  const members: ZipMember[] = [];
  for (let i = 0; i < count; i++) {
    const method = data.readUInt16LE(at + 10);
    const size = data.readUInt32LE(at + 20);
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => data.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const local = data.readUInt32LE(at + 42);
    const name = data.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    members.push({ name, method, bytes: data.subarray(start, start + size) });
    at += 46 + nameLength + extra + comment;
  }
  return members;
}
