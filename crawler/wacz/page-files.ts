import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pageListHeader } from '../../formats/wacz/page-lists.js';
import { readLog } from '../base/append-log.js';
import type { PageRow } from '../protocol.js';

/** A row of the work directory's `pages.jsonl`: a page as the WACZ lists it, with its text. */
export type StoredRow = PageRow & { text?: string };

/** The page lists of a WACZ as files. */
export interface PageFiles {
  readonly count: number;
  /** Paths until packing: `seeds` becomes `pages/pages.jsonl`, `others` becomes `pages/extraPages.jsonl`. */
  readonly seeds: string;
  readonly others: string;
}

const LISTS = {
  seeds: { id: 'pages', title: 'Seed Pages', has: (row: StoredRow) => row.depth === 0 },
  others: { id: 'extra-pages', title: 'Non-Seed Pages', has: (row: StoredRow) => row.depth !== 0 },
};

/**
 * Writes the lists of one WACZ from all rows. Rows hold the text of their pages, so one is read at a time. The last row
 * counts for a page that was crawled again after a crash.
 * @param path start of the files' names
 */
export async function writePageFiles(rows: string, wacz: string, path: string): Promise<PageFiles> {
  const lasts = new Map<string, number>();
  let hasText = false;
  let at = 0;
  for await (const row of readLog<StoredRow>(rows)) {
    at++;
    if (row.filename !== wacz) continue;
    lasts.set(row.id, at);
    hasText ||= row.text !== undefined;
  }
  const files = { seeds: `${path}.seeds`, others: `${path}.others` };
  for (const name of ['seeds', 'others'] as const) {
    const { id, title, has } = LISTS[name];
    async function* lines(): AsyncGenerator<string> {
      yield `${pageListHeader({ id, title, hasText })}\n`;
      let number = 0;
      for await (const { filename, ...row } of readLog<StoredRow>(rows)) {
        if (lasts.get(row.id) === ++number && filename === wacz && has({ filename, ...row }))
          yield `${JSON.stringify(row)}\n`;
      }
    }
    await pipeline(Readable.from(lines()), createWriteStream(files[name], { mode: 0o600 }));
  }
  return { count: lasts.size, ...files };
}

export async function removePageFiles({ seeds, others }: PageFiles): Promise<void> {
  await Promise.all([seeds, others].map((path) => rm(path, { force: true })));
}
