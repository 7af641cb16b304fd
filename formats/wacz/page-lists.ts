import type { ZipArchive } from '../zip/zip-archive.js';
import { readJsonObjects } from './lines.js';

/** Pages of seeds; lines of this member are seeds whatever they say. Contract: archive.md §3. */
const SEED_PAGES = 'pages/pages.jsonl';
/** All page lists of a WACZ unpack to at most this: a bomb is cut off here. */
const MAX_LIST_BYTES = 16 * 1024 ** 3;

/** The first line of a list, without its end. */
export const pageListHeader = (list: { id: string; title: string; hasText?: boolean }): string =>
  JSON.stringify({ format: 'json-pages-1.0', ...list });

export interface PageLine {
  /** What the line says, unchecked; the header of the list is a line too. */
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
