import { join } from 'node:path';
import { AppendLog, readLog } from '../base/append-log.js';
import { WORK_FILES, type JournalEntry, type PageRow } from '../protocol.js';
import type { UsedOriginal } from '../warc/used-originals.js';

/** One line of `state.jsonl`. The queue and the seen set are rebuilt from these lines alone. */
export type StateEntry =
  | { t: 'queued'; url: string; pageId: string; depth: number; hops: number; seedId: number; seed?: true; at: number }
  | { t: 'started'; pageId: string }
  | { t: 'done'; pageId: string }
  | { t: 'failed'; pageId: string; retries: number; final: boolean }
  | { t: 'dropped'; pageId: string }
  | { t: 'exclusion'; add: boolean; regex: string }
  | { t: 'seeded'; sitemaps: boolean }
  /** A seed was redirected to another site: the scope of `url` belongs to the seed too. */
  | { t: 'redirect'; seedId: number; url: string }
  | ({ t: 'original' } & UsedOriginal)
  | { t: 'segment'; wacz: string; index: number }
  | { t: 'packed'; wacz: string };

/** A page to be crawled. `at`: when it was found, ms since the epoch. */
export interface QueuedPage {
  readonly url: string;
  readonly pageId: string;
  readonly depth: number;
  readonly hops: number;
  readonly seedId: number;
  readonly seed: boolean;
  /** Number of failed tries. */
  retries: number;
  /** Number of visits that ended with their process, which is seldom the page's fault. */
  interruptions: number;
  readonly at: number;
}

/** The queue and the other state that a former process of the run left in `state.jsonl`. */
export interface RestoredState {
  /** Pages still to be visited, in the order found. */
  readonly pending: QueuedPage[];
  /** Every page ever queued and not dropped. */
  all: Iterable<QueuedPage>;
  readonly done: Set<string>;
  /** Pages that have their row, done or given up. */
  readonly over: Set<string>;
  /** A seed whose row says that it failed, if there is one. */
  failedSeed: string | null;
  readonly exclusions: { add: boolean; regex: string }[];
  readonly redirects: { seedId: number; url: string }[];
  seeded: boolean;
  sitemapsRead: boolean;
  readonly segments: { wacz: string; index: number; packed: boolean }[];
  /** WACZs of other items that records may refer to, and the items that were reported. */
  readonly originals: UsedOriginal[];
  readonly toldOriginals: string[];
}

/** Whether the row is that of a failed seed that ends the crawl because of `failOnFailedSeed`. */
export const isFailedSeed = ({ seed, loadState, status = 200 }: PageRow): boolean =>
  seed === true && (loadState === 0 || status >= 400);

/** Writes and replays the queue's events. */
export class StateLog {
  private constructor(private readonly log: AppendLog) {}

  static async open(dir: string): Promise<StateLog> {
    return new StateLog(await AppendLog.open(join(dir, WORK_FILES.state)));
  }

  append(...entries: StateEntry[]): Promise<void> {
    return this.log.append(...entries);
  }

  sync(): Promise<void> {
    return this.log.sync();
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

export async function restoreState(dir: string): Promise<RestoredState> {
  const pages = new Map<string, QueuedPage>();
  const started = new Set<string>();
  const state: RestoredState = {
    pending: [],
    all: [],
    done: new Set(),
    over: new Set(),
    failedSeed: null,
    exclusions: [],
    redirects: [],
    seeded: false,
    sitemapsRead: false,
    segments: [],
    originals: [],
    toldOriginals: [],
  };
  const track = { pages, started };
  for await (const entry of readLog<StateEntry>(join(dir, WORK_FILES.state))) apply(entry, state, track);
  for await (const entry of readLog<JournalEntry>(join(dir, WORK_FILES.events))) countTold(entry, state);
  for (const page of pages.values()) {
    if (state.over.has(page.pageId)) continue;
    if (started.has(page.pageId)) page.interruptions++;
    state.pending.push(page);
  }
  state.all = pages.values();
  return state;
}

/**
 * Counts reported pages as over. Such a page has its row and records, even if a kill came before its state was written.
 * It must not be reported again or left out of the WACZ.
 */
function countTold(entry: JournalEntry, state: RestoredState): void {
  if (entry.t === 'original') state.toldOriginals.push(entry.itemId);
  if (entry.t !== 'page' && entry.t !== 'qaPage') return;
  const { id, url, loadState } = entry.row;
  if (entry.t === 'page' && isFailedSeed(entry.row)) state.failedSeed ??= url;
  if (state.over.has(id)) return;
  state.over.add(id);
  if (entry.t === 'qaPage' || loadState > 0) state.done.add(id);
}

interface Tracking {
  readonly pages: Map<string, QueuedPage>;
  readonly started: Set<string>;
}

function apply(entry: StateEntry, state: RestoredState, { pages, started }: Tracking): void {
  switch (entry.t) {
    case 'queued': {
      const { url, pageId, depth, hops, seedId, seed, at } = entry;
      pages.set(pageId, { url, pageId, depth, hops, seedId, seed: seed === true, retries: 0, interruptions: 0, at });
      return;
    }
    case 'started': {
      const page = pages.get(entry.pageId);
      // The page was started before without a result, so its process died.
      if (page && started.has(entry.pageId)) page.interruptions++;
      started.add(entry.pageId);
      return;
    }
    case 'done':
      state.done.add(entry.pageId);
      state.over.add(entry.pageId);
      return;
    case 'failed': {
      started.delete(entry.pageId);
      const page = pages.get(entry.pageId);
      if (page) page.retries = entry.retries;
      if (entry.final) state.over.add(entry.pageId);
      return;
    }
    case 'dropped':
      pages.delete(entry.pageId);
      return;
    case 'exclusion':
      state.exclusions.push({ add: entry.add, regex: entry.regex });
      return;
    case 'redirect':
      state.redirects.push({ seedId: entry.seedId, url: entry.url });
      return;
    case 'seeded':
      state.seeded = true;
      state.sitemapsRead ||= entry.sitemaps;
      return;
    case 'original': {
      const { number, itemId, wacz } = entry;
      state.originals.push({ number, itemId, wacz });
      return;
    }
    case 'segment':
      state.segments.push({ wacz: entry.wacz, index: entry.index, packed: false });
      return;
    case 'packed':
      for (const segment of state.segments) if (segment.wacz === entry.wacz) segment.packed = true;
      return;
  }
}
