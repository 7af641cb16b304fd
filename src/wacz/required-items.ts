import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import { DATAPACKAGE, entriesOf, jsonOf, text } from './package-check.js';

/** More required items than this one package does not name. */
const MOST_REQUIRED = 10_000;

/** A WACZ that holds bodies to which another one refers, as the crawler wrote it down. What it left out is null. */
export interface NamedWacz {
  /** The last part of its key. */
  readonly filename: string | null;
  /** SHA-256 in hex. */
  readonly hash: string | null;
  /** Bytes. */
  readonly size: number | null;
  /** Item that it belongs to. */
  readonly crawlId: string | null;
}

/** The WACZs that a package refers to. Contract: crawling §13. @throws UnreadableWacz, StorageError */
export async function requiredWaczs(archive: ZipArchive): Promise<NamedWacz[]> {
  const entries = await entriesOf(archive, new Set([DATAPACKAGE]), []);
  const described = (await jsonOf(archive, entries.get(DATAPACKAGE)))?.value;
  const requires = (described as { relation?: { requires?: unknown } } | null | undefined)?.relation?.requires;
  if (!Array.isArray(requires)) return [];
  return requires.slice(0, MOST_REQUIRED).map((one: unknown) => {
    const size = (one as { size?: unknown } | null)?.size;
    return {
      filename: text(one, 'filename'),
      hash: text(one, 'hash'),
      size: typeof size === 'number' ? size : null,
      crawlId: text(one, 'crawlId'),
    };
  });
}

/**
 * The ids of the items that hold bodies which a package refers to, as its crawler wrote them down. A package that
 * cannot be read requires none. Contract: crawling §13. @throws StorageError
 */
export async function requiredItems(archive: ZipArchive): Promise<string[]> {
  try {
    return [...new Set((await requiredWaczs(archive)).flatMap(({ crawlId }) => crawlId ?? []))];
  } catch (error) {
    if (error instanceof UnreadableWacz) return [];
    throw error;
  }
}
