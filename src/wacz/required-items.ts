import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import { DATAPACKAGE, entriesOf, jsonOf, text } from './package-check.js';

/** More required items than this one package does not name. */
const MOST_REQUIRED = 10_000;

/**
 * The ids of the items that hold bodies which a package refers to, as its crawler wrote them down. A package that
 * cannot be read requires none. Contract: crawling §13. @throws StorageError
 */
export async function requiredItems(archive: ZipArchive): Promise<string[]> {
  try {
    const entries = await entriesOf(archive, new Set([DATAPACKAGE]), []);
    const described = (await jsonOf(archive, entries.get(DATAPACKAGE)))?.value;
    const requires = (described as { relation?: { requires?: unknown } } | null | undefined)?.relation?.requires;
    if (!Array.isArray(requires)) return [];
    return [...new Set(requires.slice(0, MOST_REQUIRED).flatMap((one) => text(one, 'crawlId') ?? []))];
  } catch (error) {
    if (error instanceof UnreadableWacz) return [];
    throw error;
  }
}
