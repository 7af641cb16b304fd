import { parseDateTime } from '../common/validation/date-time.js';
import { readLines } from '../../formats/wacz/lines.js';
import { readPageLines } from '../../formats/wacz/page-lists.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { ZipEntry } from '../../formats/zip/zip-directory.js';
import { parseUrl } from '../common/text/parse-url.js';

/** Longest log, unpacked. The limit cuts off zip bombs. */
const MAX_LOG_BYTES = 16 * 1024 ** 3;
/** Most pages of a file: five times the largest crawl of the service. More would only fill the database. */
const MAX_PAGES = 5_000_000;
/** Pages that an archive of any size may list. */
const FREE_PAGES = 25_000;
/** Least packed bytes per page; a real page takes several times this. Storage quotas count bytes alone. */
const LEAST_BYTES_PER_PAGE = 64;

/** One page as its archive lists it. Absent and mistyped values are null; `url` is a normalised http(s) URL. */
export interface WaczPage {
  readonly id: string | null;
  readonly url: string;
  readonly title: string | null;
  readonly ts: Date | null;
  readonly loadState: number | null;
  readonly status: number | null;
  readonly mime: string | null;
  readonly depth: number | null;
  readonly isSeed: boolean;
  readonly favIconUrl: string | null;
}

/**
 * The pages that a WACZ lists, in member and line order, without ever holding a whole list. Other lines (the header,
 * broken JSON, an invalid URL or time) are skipped. Contract: archive.md §3.
 * @throws UnreadableWacz when a page list is damaged, or has too many pages for the archive's size
 */
export async function* readPages(archive: ZipArchive, signal?: AbortSignal): AsyncGenerator<WaczPage> {
  const most = Math.min(MAX_PAGES, Math.max(FREE_PAGES, Math.floor(archive.size / LEAST_BYTES_PER_PAGE)));
  let pagesLeft = most;
  for await (const { line, isSeedList } of readPageLines(archive, signal)) {
    const page = toPage(line, isSeedList);
    if (!page) continue;
    if (pagesLeft-- === 0) throw new UnreadableWacz('too-large', `more than ${most} pages`);
    yield page;
  }
}

function toPage(line: Record<string, unknown>, isSeedList: boolean): WaczPage | null {
  const url = httpUrl(line['url']);
  const ts = line['ts'] === undefined || line['ts'] === null ? null : parseDateTime(line['ts']);
  if (url === null || (ts === null && line['ts'] !== undefined && line['ts'] !== null)) return null;
  return {
    id: text(line['id']),
    url,
    title: text(line['title']),
    ts,
    loadState: whole(line['loadState']),
    status: whole(line['status']),
    mime: text(line['mime']),
    depth: whole(line['depth']),
    isSeed: isSeedList || line['seed'] === true,
    favIconUrl: text(line['favIconUrl']),
  };
}

function httpUrl(value: unknown): string | null {
  if (typeof value !== 'string' || !parseUrl(value.trim())) return null;
  const url = new URL(value.trim());
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** The members under `logs/`, sorted by name. Contract: crawling.md, `/logs`. @throws UnreadableWacz */
export async function findLogs(archive: ZipArchive): Promise<ZipEntry[]> {
  const logs = await archive.find((name) => name.startsWith('logs/'));
  return logs.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The lines of one log member, as written. @throws UnreadableWacz */
export function readLogLines(archive: ZipArchive, log: ZipEntry, signal?: AbortSignal): AsyncGenerator<string> {
  return readLines(archive.read(log, { maxBytes: MAX_LOG_BYTES, signal }) as AsyncIterable<Buffer>);
}

/** The WACZs inside a multi-WACZ, in directory order; empty for a plain WACZ. Contract: archive.md §3. */
export function findChildWaczs(archive: ZipArchive): Promise<ZipEntry[]> {
  return archive.find((name) => name.endsWith('.wacz'));
}
