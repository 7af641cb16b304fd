import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppendLog, readLog } from '../base/append-log.js';
import { WORK_FILES, type PageRow } from '../protocol.js';

/** Opens `pages.jsonl` without the rows of pages that are to be crawled again. */
export async function openPageLog(dir: string, isDone: (pageId: string) => boolean): Promise<AppendLog> {
  const path = join(dir, WORK_FILES.pages);
  const kept: string[] = [];
  let dropped = 0;
  for await (const row of readLog<PageRow>(path)) {
    if (isDone(row.id)) kept.push(JSON.stringify(row) + '\n');
    else dropped++;
  }
  if (dropped > 0) {
    await writeFile(`${path}.tmp`, kept.join(''), { mode: 0o600 });
    await rename(`${path}.tmp`, path);
  }
  return AppendLog.open(path);
}
