import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppendLog, readLog } from '../base/append-log.js';
import { WORK_FILES, type PageRow } from '../protocol.js';

/** Opens `pages.jsonl` and drops the rows of pages that are to be crawled again. */
export async function openPageLog(dir: string, isDone: (pageId: string) => boolean): Promise<AppendLog> {
  const path = join(dir, WORK_FILES.pages);
  let dropped = 0;
  for await (const row of readLog<PageRow>(path)) if (!isDone(row.id)) dropped++;
  if (dropped > 0) {
    await pipeline(Readable.from(rowsOf(path, isDone)), createWriteStream(`${path}.tmp`, { mode: 0o600 }));
    await rename(`${path}.tmp`, path);
  }
  return AppendLog.open(path);
}

/** Reads one row at a time, because rows hold the text of their pages. */
async function* rowsOf(path: string, isDone: (pageId: string) => boolean): AsyncGenerator<string> {
  for await (const row of readLog<PageRow>(path)) if (isDone(row.id)) yield JSON.stringify(row) + '\n';
}
