import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { FileEvent } from '../../src/drivers/crawl-driver.types.js';
import { eventually } from './eventually.js';
import type { MemoryObjectStore } from './memory-object-store.js';
import { Player } from './player.js';
import { digestOf, faultsOf, wasHeld, WaczFile } from './wacz-file.js';

/** Of one archive: enough to see that it replays, and soon done. */
const MOST_PAGES = 3;
/** Covers a browser on a machine that several test runs share. */
const SHOWN_MS = 180_000;
/** A page that is not there by then is opened in a new player: in a full machine one may have lost its worker. */
const AGAIN_MS = 60_000;
/** Of a page, to be looked for. */
const MOST_LINES = 500;
const STREAMS: ReadonlySet<string> = new Set(['eventsource', 'websocket']);

interface Expected {
  url: string;
  ts: string;
  /** Of the title and of the text, without blanks: where one element ends and the next begins looks different. */
  lines: string[];
}

/** Digests of WACZs of which pages were replayed. */
const replayed = new Set<string>();

/**
 * Replays the first HTML pages of an archive in ReplayWeb.page and finds in each what the crawler saw of it.
 * @param paths all WACZs of the archive: pages of one may refer to another
 * @returns how many pages it replayed; @throws what a page shows that does not show its text
 */
export function pagesReplayed(paths: readonly string[]): Promise<number> {
  return replay(paths, paths.flatMap((path) => htmlPagesOf(new WaczFile(path))).slice(0, MOST_PAGES));
}

/**
 * Holds what a test has not looked at itself to the same: each WACZ to the validators, and its first page to what it
 * shows when replayed.
 * @param paths all WACZs of an archive; @returns what is wrong with them
 */
export async function faultsOfArchive(paths: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const path of paths) if (!wasHeld(path)) faults.push(...(await faultsOf(path)));
  const left = paths.filter((path) => !replayed.has(digestOf(path)));
  const pages = left.flatMap((path) => htmlPagesOf(new WaczFile(path)).slice(0, 1));
  await replay(paths, pages).catch((error: unknown) => faults.push(String(error)));
  return faults;
}

/**
 * Expects each stored WACZ to be as it was told of and without fault, and the archive that they make to replay.
 * @returns the ids of the pages that they list
 */
export async function pagesOfWhole(
  files: readonly Pick<FileEvent, 'filename' | 'size'>[],
  { objects }: MemoryObjectStore,
): Promise<unknown[]> {
  const folder = await mkdtemp(join(tmpdir(), 'whole-archive-'));
  const paths: string[] = [];
  for (const { filename, size } of files) {
    const path = join(folder, basename(filename));
    paths.push(path);
    const bytes = objects.get(filename) ?? Buffer.alloc(0);
    expect(bytes.length).toBe(size);
    await writeFile(path, bytes);
    expect(await faultsOf(path)).toEqual([]);
  }
  expect(await pagesReplayed(paths)).toBeGreaterThan(0);
  const listed = paths.flatMap((path) => new WaczFile(path).pages.map(({ id }) => id));
  await rm(folder, { recursive: true });
  return listed;
}

/** The WACZs that a service has stored in its data folder. */
export async function storedWaczs(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'storage'), { recursive: true });
  return names.filter((name) => name.endsWith('.wacz')).map((name) => join(dataDir, 'storage', name));
}

async function replay(paths: readonly string[], pages: readonly Expected[]): Promise<number> {
  for (const path of paths) replayed.add(digestOf(path));
  if (pages.length === 0) return 0;
  let player = await Player.open(...paths);
  const show = async (page: Expected): Promise<void> => {
    try {
      await showsAll(player, page);
    } catch (error) {
      await player.close();
      player = await Player.open(...paths);
      throw error;
    }
  };
  try {
    for (const page of pages) await eventually(() => show(page), SHOWN_MS);
  } finally {
    await player.close();
  }
  return pages.length;
}

async function showsAll(player: Player, { url, ts, lines }: Expected): Promise<void> {
  await player.show(url, ts);
  await eventually(
    async () => {
      const shown = await player.textOf(url);
      const packed = linesOf(shown ?? '').join('');
      const missing = lines.filter((line) => !packed.includes(line));
      if (shown === null || missing.length > 0)
        throw new Error(`${url} replays without ${missing.join(' ')}: ${shown ?? `nothing in ${player.frames}`}`);
    },
    AGAIN_MS,
    100,
  );
}

/**
 * Pages that were answered with 200 and HTML, themselves and not by way of a redirect, were read to their end and live on
 * no stream, which no archive holds.
 */
function htmlPagesOf(wacz: WaczFile): Expected[] {
  return wacz.pages.flatMap((page) => {
    const { url, ts, title = '', status, mime, loadState } = page as Record<string, string | number | undefined>;
    const isItself = wacz.lines(String(url)).some((line) => line.status === '200');
    if (status !== 200 || mime !== 'text/html' || loadState !== 4 || !isItself) return [];
    const { urls } = wacz.json(`urn:pageinfo:${String(url)}`) as { urls: Record<string, { type: string }> };
    if (Object.values(urls).some(({ type }) => STREAMS.has(type))) return [];
    const [line] = wacz.lines(`urn:text:${String(url)}`);
    const text = line ? wacz.body(line).toString('utf8') : '';
    return [{ url: String(url), ts: String(ts), lines: linesOf(`${String(title)}\n${text}`).slice(0, MOST_LINES) }];
  });
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ''))
    .filter(Boolean);
