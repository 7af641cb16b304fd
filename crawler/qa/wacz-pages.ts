import { readPageLines } from '../../formats/wacz/page-lists.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { PageRow } from '../protocol.js';

export type SourcePage = Omit<PageRow, 'filename'>;

/** The page rows of a WACZ. @throws UnreadableWacz, SourceUnreadable */
export async function pagesOf(archive: ZipArchive): Promise<SourcePage[]> {
  const rows: SourcePage[] = [];
  for await (const { line } of readPageLines(archive)) {
    // The text is dropped: it would be held for all pages at once, and the comparison reads its own record.
    const { text: _text, ...row } = line as unknown as SourcePage & { text?: string };
    if (typeof row.id === 'string' && typeof row.url === 'string') rows.push({ ...row, depth: row.depth ?? 0 });
  }
  return rows;
}
