import { crc32 } from 'node:zlib';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import { readLines } from '../../formats/wacz/lines.js';
import { pageListHeader, SEED_PAGES } from '../../formats/wacz/page-lists.js';
import { isWarc } from '../../formats/wacz/warc-members.js';
import { writeWacz, type WaczFacts, type WaczMember } from '../../formats/wacz/wacz-writer.js';
import type { ByteSource } from '../../formats/zip/byte-source.js';
import { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { ZipEntry } from '../../formats/zip/zip-directory.js';
import { readMember } from './member-reader.js';
import { StandaloneIndex } from './standalone-index.js';
import { nameGiver } from './unique-names.js';

const FOLDER = 'archive/';
const PAGES = /^pages\/[^/]+\.jsonl$/;

/** A WACZ that goes into another. */
export interface StandaloneSource {
  /** Goes before the names of WARC files that several have. */
  readonly itemId: string;
  /** Whether its pages are listed. Records of the others are there to be referred to. */
  readonly isShown: boolean;
  readonly open: () => ByteSource;
}

/**
 * Makes one WACZ of several as a stream: all their WARC files, byte for byte, one index and one list of pages. Players
 * find every record that a revisit refers to, also those that the revisit says to be in another WACZ, which they look
 * for by name in vain where WACZs lie inside of a package. Index lines wait on disk; memory does not grow.
 * @throws UnreadableWacz, MemberUnavailable, StorageError
 */
export async function* standaloneWacz(
  sources: readonly StandaloneSource[],
  facts: WaczFacts,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const index = new StandaloneIndex();
  try {
    yield* writeWacz(membersOf(sources, index, signal), facts);
  } finally {
    await index.close();
  }
}

async function* membersOf(
  sources: readonly StandaloneSource[],
  index: StandaloneIndex,
  signal?: AbortSignal,
): AsyncGenerator<WaczMember> {
  const nameOf = nameGiver();
  for (const { open, itemId } of sources) {
    signal?.throwIfAborted();
    const source = open();
    const archive = await ZipArchive.open(source);
    const names = new Map<string, string>();
    for (const entry of await archive.find(isWarc)) {
      const name = entry.name.slice(FOLDER.length);
      names.set(name, nameOf({ name, itemId }));
      yield { path: `${FOLDER}${names.get(name)!}`, content: contentOf(archive, source, entry, signal) };
    }
    // While the records are sent, so that no reader waits for all indexes at once.
    await index.take(archive, source, names, signal);
  }
  yield { path: SEED_PAGES, content: pagesOf(sources, { id: 'pages', title: 'Seed Pages' }, signal) };
  yield { path: 'pages/extraPages.jsonl', content: pagesOf(sources, { id: 'extra', title: 'Pages' }, signal) };
  yield* index.members();
}

/** A stored member is read again from where a read broke off. */
async function* contentOf(
  archive: ZipArchive,
  source: ByteSource,
  entry: ZipEntry,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  if (entry.method !== 0) return yield* archive.read(entry, { signal }) as AsyncIterable<Buffer>;
  const { start, size } = await archive.packed(entry);
  let crc = 0;
  const open = (from: number, aborted?: AbortSignal) => source.stream(start + from, size - from, aborted);
  for await (const bytes of readMember({ name: entry.name, open }, { from: 0, to: size }, signal)) {
    crc = crc32(bytes, crc);
    yield bytes;
  }
  if (crc !== entry.crc32) throw new UnreadableWacz('corrupt', `${entry.name} does not match its checksum`);
}

/** One of the two lists, of all WACZs that are shown, with the header of the first list that has one. */
async function* pagesOf(
  sources: readonly StandaloneSource[],
  list: { id: string; title: string },
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let hasHeader = false;
  const header = (hasText: boolean): Buffer => {
    hasHeader = true;
    return Buffer.from(`${pageListHeader({ ...list, hasText })}\n`);
  };
  for (const { open, isShown } of sources) {
    if (!isShown) continue;
    const archive = await ZipArchive.open(open());
    const isOf = (name: string): boolean => PAGES.test(name) && (name === SEED_PAGES) === (list.id === 'pages');
    for (const entry of await archive.find(isOf)) {
      let isFirst = true;
      for await (const line of readLines(archive.read(entry, { signal }) as AsyncIterable<Buffer>)) {
        const head = isFirst ? headerIn(line) : null;
        isFirst = false;
        if (!hasHeader) yield header(head?.hasText === true);
        if (!head && line !== '') yield Buffer.from(`${line}\n`);
      }
    }
  }
  if (!hasHeader) yield header(false);
}

function headerIn(line: string): { hasText?: unknown } | null {
  try {
    const found = JSON.parse(line) as { format?: unknown; url?: unknown; hasText?: unknown } | null;
    return typeof found?.format === 'string' && found.url === undefined ? found : null;
  } catch {
    return null;
  }
}
