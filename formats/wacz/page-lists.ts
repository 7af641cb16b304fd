import type { ZipArchive } from '../zip/zip-archive.js';
import { readJsonObjects } from './lines.js';

/** The list of seed pages. Each of its lines is a seed, whatever the line says. Contract: archive.md §3. */
export const SEED_PAGES = 'pages/pages.jsonl';
/** Most bytes that all page lists of a WACZ may unpack to. The limit cuts off zip bombs. */
const MAX_LIST_BYTES = 16 * 1024 ** 3;

/** The first line of a list, without its end. */
export const pageListHeader = (list: { id: string; title: string; hasText?: boolean }): string =>
  JSON.stringify({ format: 'json-pages-1.0', ...list });

export interface PageLine {
  /** The content of the line, unchecked. The list's header is a line too. */
  readonly line: Record<string, unknown>;
  readonly isSeedList: boolean;
}

/** The lines of a WACZ's page lists, in member and line order. @throws UnreadableWacz when a list is damaged */
export async function* readPageLines(archive: ZipArchive, signal?: AbortSignal): AsyncGenerator<PageLine> {
  let bytesLeft = MAX_LIST_BYTES;
  for (const entry of await archive.find((name) => name.startsWith('pages/') && name.endsWith('.jsonl'))) {
    const content = archive.read(entry, { maxBytes: bytesLeft, signal });
    bytesLeft -= entry.size;
    for await (const line of readJsonObjects(content as AsyncIterable<Buffer>))
      yield { line, isSeedList: entry.name === SEED_PAGES };
  }
}
