import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { indexMembers } from '../../formats/cdx/index-members.js';
import type { SortedLines } from '../../formats/cdx/sorted-lines.js';
import type { SignHash } from '../../formats/wacz/signed-data.js';
import { writeWacz, type WaczMember } from '../../formats/wacz/wacz-writer.js';
import { Metered } from '../base/metered.js';
import { nowIso } from '../base/time.js';
import type { OutputFile } from '../protocol.js';
import type { UsedOriginal } from '../warc/used-originals.js';
import { SOFTWARE } from '../warc/warc-file.js';
import type { PageFiles } from './page-files.js';

/** Suffix of a WACZ that is packed but not yet published. */
export const PACKED = '.packed';

export interface Contents {
  /** Absolute paths. */
  readonly warcs: readonly string[];
  readonly logs: readonly string[];
  readonly index: SortedLines;
  readonly pages: PageFiles;
  readonly title?: string;
  /** WACZs of other items that hold what records of this one refer to. */
  readonly requires: readonly UsedOriginal[];
  readonly browser?: string | undefined;
}

/**
 * Packs a WACZ for `path`. The file is complete on disk under a name that nobody uses until `publishPacked`. In between
 * the segment is marked as packed. So after a kill no process packs a file again under the same name.
 */
export async function packWacz(path: string, contents: Contents, sign?: SignHash): Promise<OutputFile> {
  const temporary = `${path}.tmp`;
  const meter = new Metered();
  const { title, browser } = contents;
  const requires = contents.requires.map(({ itemId: crawlId, wacz: { name: filename, hash, size } }) => ({
    filename,
    hash,
    size,
    crawlId,
  }));
  const more = { ...(title ? { title } : {}), ...(browser ? { browser } : {}) };
  const facts = { created: nowIso(), software: SOFTWARE, requires, ...more };
  try {
    const wacz = Readable.from(writeWacz(members(contents), facts, sign), { objectMode: false });
    await pipeline(wacz, meter, createWriteStream(temporary, { mode: 0o600 }));
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

/** Gives a packed file its name. Does nothing when that was done before. */
export async function publishPacked(path: string, file: OutputFile): Promise<void> {
  if (existsSync(path + PACKED)) await publish(path + PACKED, path, file);
}

/** Publishes a finished temporary file: syncs it, writes its description, then gives it its name. */
export async function publish(temporary: string, path: string, file: OutputFile): Promise<void> {
  await syncFile(temporary);
  await writeFile(`${path}.json`, JSON.stringify(file), { mode: 0o600 });
  await syncFile(`${path}.json`);
  await rename(temporary, path);
  await syncFile(dirname(path));
}

async function* members({ warcs, logs, index, pages }: Contents): AsyncGenerator<WaczMember> {
  for (const warc of warcs) yield member(`archive/${basename(warc)}`, warc);
  yield* indexMembers(index);
  yield member('pages/pages.jsonl', pages.seeds);
  yield member('pages/extraPages.jsonl', pages.others);
  for (const log of logs) yield member(`logs/${basename(log)}`, log);
}

const member = (path: string, source: string): WaczMember => ({
  path,
  content: createReadStream(source, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>,
});

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
