import { join } from 'node:path';
import { AppendLog, readLog } from '../base/append-log.js';
import { WORK_FILES, type JournalEntry, type StateEntry } from '../protocol.js';

/** A page to be crawled. `at`: when it was found, ms since the epoch. */
export interface QueuedPage {
  url: string;
  pageId: string;
  depth: number;
  hops: number;
  seedId: number;
  seed: boolean;
  retries: number;
  at: number;
}

/** The queue and what else a former process of the job left in `state.jsonl`. */
export interface RestoredState {
  /** Not done, in the order found; pages that were in flight have one retry more. */
  pending: QueuedPage[];
  /** Every page ever queued and not dropped. */
  all: Iterable<QueuedPage>;
  done: Set<string>;
  /** Done, or given up: pages that have their row. */
  over: Set<string>;
  failed: number;
  exclusions: { add: boolean; regex: string }[];
  redirects: { seedId: number; url: string }[];
  seeded: boolean;
  sitemapsRead: boolean;
  segments: { wacz: string; index: number; packed: boolean }[];
}

/** A page is tried this often again after a crash or a failed load. */
export const MAX_RETRIES = 2;

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
    failed: 0,
    exclusions: [],
    redirects: [],
    seeded: false,
    sitemapsRead: false,
    segments: [],
  };
  const track = { pages, started };
  for await (const entry of readLog<StateEntry>(join(dir, WORK_FILES.state))) apply(entry, state, track);
  for await (const entry of readLog<JournalEntry>(join(dir, WORK_FILES.events))) countTold(entry, state, pages);
  for (const page of pages.values()) {
    if (state.over.has(page.pageId)) continue;
    if (started.has(page.pageId)) page.retries++;
    if (page.retries <= MAX_RETRIES) state.pending.push(page);
    else state.failed++;
  }
  state.all = pages.values();
  return state;
}

/**
 * A page that was told has its row and its records, though a kill may have come before its state was written: told
 * again, or left out of the WACZ, it would not be where its row says. Seeds are visited again, as a crawl may have to
 * end with one that fails.
 */
function countTold(entry: JournalEntry, state: RestoredState, pages: ReadonlyMap<string, QueuedPage>): void {
  if (entry.t !== 'page' && entry.t !== 'qaPage') return;
  const { id, loadState } = entry.row;
  if (state.over.has(id) || (entry.t === 'page' && pages.get(id)?.seed !== false)) return;
  state.over.add(id);
  if (entry.t === 'qaPage' || loadState > 0) state.done.add(id);
  else state.failed++;
}

interface Tracking {
  pages: Map<string, QueuedPage>;
  started: Set<string>;
}

function apply(entry: StateEntry, state: RestoredState, { pages, started }: Tracking): void {
  switch (entry.t) {
    case 'queued': {
      const { url, pageId, depth, hops, seedId, seed, at } = entry;
      pages.set(pageId, { url, pageId, depth, hops, seedId, seed: seed === true, retries: 0, at });
      return;
    }
    case 'started':
      started.add(entry.pageId);
      return;
    case 'done':
      state.done.add(entry.pageId);
      state.over.add(entry.pageId);
      return;
    case 'failed': {
      started.delete(entry.pageId);
      const page = pages.get(entry.pageId);
      if (page) page.retries = entry.retries;
      if (!entry.final) return;
      state.over.add(entry.pageId);
      state.failed++;
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
    case 'segment':
      state.segments.push({ wacz: entry.wacz, index: entry.index, packed: false });
      return;
    case 'packed':
      for (const segment of state.segments) if (segment.wacz === entry.wacz) segment.packed = true;
      return;
  }
}
