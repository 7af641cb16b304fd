import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { Metered } from '../base/metered.js';
import { nowIso } from '../base/time.js';
import type { OutputFile } from '../protocol.js';
import { SOFTWARE } from '../warc/warc-file.js';
import type { CdxLine } from '../warc/cdx.js';
import { indexMembers } from './index-file.js';
import type { PageFiles } from './page-files.js';

/** Ends the name of a WACZ that is packed and not yet published. */
export const PACKED = '.packed';

export interface Contents {
  /** Absolute paths. */
  warcs: readonly string[];
  logs: readonly string[];
  cdx: readonly CdxLine[];
  pages: PageFiles;
  title?: string;
}

interface Resource {
  name: string;
  path: string;
  hash: string;
  bytes: number;
}

/**
 * Packs a WACZ 1.1.1 for `path`: every member stored, never deflated, so that replay can read ranges of it. It is whole
 * and on disk, under a name that nobody takes it by, until `publishPacked`: in between its segment is marked as packed,
 * so that a process that is killed never leaves a file that the next one would pack again under the same name.
 */
export async function packWacz(path: string, contents: Contents): Promise<OutputFile> {
  const temporary = `${path}.tmp`;
  const zip = new ZipFile();
  const meter = new Metered();
  try {
    await fill(zip, contents);
    const broken = new Promise<never>((_resolve, reject) => zip.once('error', reject));
    await Promise.race([pipeline(zip.outputStream, meter, createWriteStream(temporary, { mode: 0o600 })), broken]);
    await syncFile(temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const file: OutputFile = {
    kind: 'wacz',
    file: basename(path),
    ...meter.result(),
    pages: contents.pages.count,
    modified: nowIso(),
    warcs: contents.warcs.map((warc) => basename(warc)),
  };
  await rename(temporary, path + PACKED);
  await syncFile(dirname(path));
  return file;
}

/** Gives a packed file its name; done before, it does nothing. */
export async function publishPacked(path: string, file: OutputFile): Promise<void> {
  if (existsSync(path + PACKED)) await publish(path + PACKED, path, file);
}

/** Gives a finished temporary file its name once it is on disk, its description first. */
export async function publish(temporary: string, path: string, file: OutputFile): Promise<void> {
  await syncFile(temporary);
  await writeFile(`${path}.json`, JSON.stringify(file), { mode: 0o600 });
  await syncFile(`${path}.json`);
  await rename(temporary, path);
  await syncFile(dirname(path));
}

async function fill(zip: ZipFile, contents: Contents): Promise<void> {
  const resources: Resource[] = [];
  for (const warc of contents.warcs) resources.push(await addFile(zip, warc, `archive/${basename(warc)}`));
  for (const member of indexMembers(contents.cdx)) resources.push(addBytes(zip, member.path, member.bytes));
  resources.push(await addFile(zip, contents.pages.seeds, 'pages/pages.jsonl'));
  resources.push(await addFile(zip, contents.pages.others, 'pages/extraPages.jsonl'));
  for (const log of contents.logs) resources.push(await addFile(zip, log, `logs/${basename(log)}`));
  const datapackage = Buffer.from(
    JSON.stringify(
      {
        profile: 'data-package',
        wacz_version: '1.1.1',
        resources,
        created: nowIso(),
        software: SOFTWARE,
        ...(contents.title ? { title: contents.title } : {}),
      },
      null,
      2,
    ),
  );
  const { hash } = addBytes(zip, 'datapackage.json', datapackage);
  addBytes(zip, 'datapackage-digest.json', Buffer.from(JSON.stringify({ path: 'datapackage.json', hash })));
  zip.end();
}

function addBytes(zip: ZipFile, path: string, bytes: Buffer): Resource {
  zip.addBuffer(bytes, path, { compress: false });
  const hash = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { name: basename(path).toLowerCase(), path, hash, bytes: bytes.length };
}

/** The file is read twice, for its hash and for the zip: it is no longer written to, and mostly still in memory. */
async function addFile(zip: ZipFile, source: string, path: string): Promise<Resource> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(source, { highWaterMark: 1 << 18 })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  zip.addFile(source, path, { compress: false });
  return { name: basename(path).toLowerCase(), path, hash: `sha256:${hash.digest('hex')}`, bytes };
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
