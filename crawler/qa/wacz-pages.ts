import type { Readable } from 'node:stream';
import type { PageRow } from '../protocol.js';
import type { SourceFile } from './source-file.js';
import { content, directory } from './zip-directory.js';

export type SourcePage = Omit<PageRow, 'filename'>;

/** The page rows of a WACZ, read in ranges. @throws SourceUnreadable when it is no whole zip file */
export async function pagesOf(file: SourceFile): Promise<SourcePage[]> {
  const entries = await directory(file);
  const rows: SourcePage[] = [];
  for (const name of ['pages/pages.jsonl', 'pages/extraPages.jsonl']) {
    const entry = entries.find((candidate) => candidate.name === name);
    if (!entry) continue;
    for await (const line of linesOf(await content(file, entry))) {
      const row = parse(line);
      if (row) rows.push(row);
    }
  }
  return rows;
}

export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function parse(line: string): SourcePage | null {
  if (!line.trim()) return null;
  try {
    // The text would be kept for all pages at once; it is compared from its own record.
    const { text: _text, ...row } = JSON.parse(line) as SourcePage & { text?: string };
    return typeof row.id === 'string' && typeof row.url === 'string' ? { ...row, depth: row.depth ?? 0 } : null;
  } catch {
    return null;
  }
}
