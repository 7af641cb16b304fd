import { randomUUID } from 'node:crypto';
import { seenKey } from '../scope/url.js';
import type { StateEntry } from '../protocol.js';
import { MAX_RETRIES, type QueuedPage, type RestoredState, type StateLog } from './state-log.js';

export interface NewPage {
  url: string;
  depth: number;
  hops: number;
  seedId: number;
  seed: boolean;
  /** Whether URLs that differ in their hash are different pages. */
  allowHash: boolean;
}

/** Out-of-scope hops come after all in-scope depths, retries after those. Spec crawling §14.5, key `:q`. */
const HOP_WEIGHT = 1_000_000;
const RETRY_WEIGHT = 2_000_000;

interface Held {
  page: QueuedPage;
  notBefore: number;
}

/** The queue of pages, what is in flight, and the set of URLs seen. Every change is written to the state log first. */
export class Frontier {
  private readonly buckets = new Map<number, { items: QueuedPage[]; head: number }>();
  private scores: number[] = [];
  private readonly seen = new Set<string>();
  private readonly inFlight = new Map<string, QueuedPage>();
  private held: Held[] = [];
  private queued = 0;
  private foundCount = 0;
  private doneCount = 0;
  private failedCount = 0;

  constructor(
    private readonly log: StateLog,
    /** 0: unlimited. */
    private readonly limit: number,
  ) {}

  get found(): number {
    return this.foundCount;
  }
  get done(): number {
    return this.doneCount;
  }
  get failed(): number {
    return this.failedCount;
  }
  get pending(): number {
    return this.queued + this.held.length;
  }
  get busy(): number {
    return this.inFlight.size;
  }
  get isFull(): boolean {
    return this.limit > 0 && this.foundCount >= this.limit;
  }

  restore(state: RestoredState, allowHash: (seedId: number) => boolean): void {
    for (const page of state.all) {
      this.seen.add(seenKey(page.url, allowHash(page.seedId)));
      this.foundCount++;
    }
    for (const page of state.pending) this.push(page);
    this.doneCount = state.done.size;
    this.failedCount = state.failed;
  }

  /** Queues the pages that are new, up to the page limit; returns how many were. */
  async add(pages: readonly NewPage[]): Promise<number> {
    const entries: StateEntry[] = [];
    const added: QueuedPage[] = [];
    for (const { allowHash, ...page } of pages) {
      if (this.limit > 0 && this.foundCount >= this.limit) break;
      const key = seenKey(page.url, allowHash);
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      this.foundCount++;
      const queued: QueuedPage = { ...page, pageId: randomUUID(), retries: 0, at: Date.now() };
      const { url, pageId, depth, hops, seedId, at } = queued;
      entries.push({ t: 'queued', url, pageId, depth, hops, seedId, ...(page.seed ? { seed: true } : {}), at });
      added.push(queued);
    }
    await this.log.append(...entries);
    for (const page of added) this.push(page);
    return added.length;
  }

  hasSeen(url: string, allowHash: boolean): boolean {
    return this.seen.has(seenKey(url, allowHash));
  }

  /** Takes the next page; null when none is ready. */
  async take(): Promise<QueuedPage | null> {
    this.releaseHeld();
    const page = this.pop();
    if (!page) return null;
    this.inFlight.set(page.pageId, page);
    await this.log.append({ t: 'started', pageId: page.pageId });
    return page;
  }

  async finish(page: QueuedPage): Promise<void> {
    await this.log.append({ t: 'done', pageId: page.pageId });
    this.inFlight.delete(page.pageId);
    this.doneCount++;
  }

  /** Whether a further failure would be the page's last: its row is then written before `retry` says so. */
  isLastTry(page: QueuedPage, most = MAX_RETRIES): boolean {
    return page.retries + 1 > most;
  }

  /** Counts a failed try; returns false when the page is given up. `delayMs`: how long it stays back. */
  async retry(
    page: QueuedPage,
    { delayMs = 0, most = MAX_RETRIES }: { delayMs?: number; most?: number } = {},
  ): Promise<boolean> {
    const retries = page.retries + 1;
    const final = retries > most;
    await this.log.append({ t: 'failed', pageId: page.pageId, retries, final });
    this.inFlight.delete(page.pageId);
    if (final) {
      this.failedCount++;
      this.doneCount++;
      return false;
    }
    const again = { ...page, retries };
    if (delayMs > 0) this.held.push({ page: again, notBefore: Date.now() + delayMs });
    else this.push(again);
    return true;
  }

  /** Puts a page back that was interrupted through no fault of its own. */
  async giveBack(page: QueuedPage): Promise<void> {
    await this.log.append({ t: 'failed', pageId: page.pageId, retries: page.retries, final: false });
    this.inFlight.delete(page.pageId);
    this.push(page);
  }

  /** Drops queued pages; returns how many. Those in flight are the caller's to abort. */
  async drop(matches: (url: string) => boolean): Promise<number> {
    const gone: QueuedPage[] = [];
    for (const bucket of this.buckets.values()) {
      const rest: QueuedPage[] = [];
      for (const page of bucket.items.slice(bucket.head)) (matches(page.url) ? gone : rest).push(page);
      bucket.items = rest;
      bucket.head = 0;
    }
    this.held = this.held.filter(({ page }) => (matches(page.url) ? (gone.push(page), false) : true));
    this.queued = [...this.buckets.values()].reduce((sum, bucket) => sum + bucket.items.length, 0);
    this.foundCount -= gone.length;
    await this.log.append(...gone.map(({ pageId }): StateEntry => ({ t: 'dropped', pageId })));
    return gone.length;
  }

  /** A page in flight that is excluded meanwhile counts as never found. */
  async abandon(page: QueuedPage): Promise<void> {
    await this.log.append({ t: 'dropped', pageId: page.pageId });
    this.inFlight.delete(page.pageId);
    this.foundCount--;
  }

  /** Milliseconds until a held page is ready; null when none is held. */
  nextHeldMs(): number | null {
    if (this.held.length === 0) return null;
    return Math.max(0, Math.min(...this.held.map(({ notBefore }) => notBefore)) - Date.now());
  }

  /** Queued URLs in the order they will be taken, those in flight not among them. */
  list(offset: number, count: number): string[] {
    const urls: string[] = [];
    let skip = offset;
    for (const score of this.scores) {
      const bucket = this.buckets.get(score)!;
      const size = bucket.items.length - bucket.head;
      if (skip >= size) {
        skip -= size;
        continue;
      }
      const from = bucket.head + skip;
      for (const page of bucket.items.slice(from, from + count - urls.length)) urls.push(page.url);
      skip = 0;
      if (urls.length >= count) return urls;
    }
    for (const { page } of this.held.slice(skip, skip + count - urls.length)) urls.push(page.url);
    return urls;
  }

  private push(page: QueuedPage): void {
    const score = page.depth + page.hops * HOP_WEIGHT + page.retries * RETRY_WEIGHT;
    let bucket = this.buckets.get(score);
    if (!bucket) {
      bucket = { items: [], head: 0 };
      this.buckets.set(score, bucket);
      this.scores = [...this.buckets.keys()].sort((a, b) => a - b);
    }
    bucket.items.push(page);
    this.queued++;
  }

  private pop(): QueuedPage | null {
    for (const score of this.scores) {
      const bucket = this.buckets.get(score)!;
      const page = bucket.items[bucket.head];
      if (!page) continue;
      bucket.head++;
      this.queued--;
      // Taken items are let go now and then; shifting each would cost the queue's length every time.
      if (bucket.head > 1_000 && bucket.head * 2 > bucket.items.length) {
        bucket.items = bucket.items.slice(bucket.head);
        bucket.head = 0;
      }
      return page;
    }
    return null;
  }

  private releaseHeld(): void {
    if (this.held.length === 0) return;
    const now = Date.now();
    const ready = this.held.filter(({ notBefore }) => notBefore <= now);
    if (ready.length === 0) return;
    this.held = this.held.filter(({ notBefore }) => notBefore > now);
    for (const { page } of ready) this.push(page);
  }
}
