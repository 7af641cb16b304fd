import { randomUUID } from 'node:crypto';
import { seenKey } from '../scope/url.js';
import {
  HOP_WEIGHT,
  isLastTry,
  RETRY_WEIGHT,
  type FoundPage,
  type PageQueue,
  type RetryOptions,
} from './page-queue.js';
import type { QueuedPage, RestoredState, StateEntry, StateLog } from './state-log.js';

/** Interval in ms at which the queue is checked without a sign of a change. */
const IDLE_POLL_MS = 5_000;

interface Held {
  readonly page: QueuedPage;
  readonly notBefore: number;
}

/** The in-memory queue of a crawl that one process does alone. Every change is written to the state log first. */
export class Frontier implements PageQueue {
  private readonly buckets = new Map<number, { items: QueuedPage[]; head: number }>();
  private scores: number[] = [];
  private readonly seen = new Set<string>();
  /** Ids of the pages in flight. */
  private readonly inFlight = new Set<string>();
  private held: Held[] = [];
  private queued = 0;
  private foundCount = 0;
  private doneCount = 0;
  private failedCount = 0;
  private seeded = false;
  private hasReadSitemaps = false;

  constructor(
    private readonly log: StateLog,
    /** Page limit; 0: unlimited. */
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

  get isExhausted(): boolean {
    return this.busy === 0 && this.pending === 0;
  }

  /** Nothing to do: `restore` has settled everything. */
  open(): Promise<void> {
    return Promise.resolve();
  }

  isSeeded(): Promise<boolean> {
    return Promise.resolve(this.seeded);
  }

  async markSeeded(): Promise<void> {
    this.seeded = true;
    await this.log.append({ t: 'seeded', sitemaps: false });
    await this.log.sync();
  }

  sitemaps(): Promise<'read' | 'done'> {
    return Promise.resolve(this.hasReadSitemaps ? 'done' : 'read');
  }

  async sitemapsRead(): Promise<void> {
    this.hasReadSitemaps = true;
    await this.log.append({ t: 'seeded', sitemaps: true });
  }

  restore(state: RestoredState, allowHash: (seedId: number) => boolean): void {
    for (const page of state.all) {
      this.seen.add(seenKey(page.url, allowHash(page.seedId)));
      this.foundCount++;
    }
    for (const page of state.pending) this.push(page);
    this.doneCount = state.over.size;
    this.failedCount = state.over.size - state.done.size;
    this.seeded = state.seeded;
    this.hasReadSitemaps = state.sitemapsRead;
  }

  async add(pages: readonly FoundPage[]): Promise<number> {
    const entries: StateEntry[] = [];
    const added: QueuedPage[] = [];
    for (const { allowHash, ...page } of pages) {
      if (this.limit > 0 && this.foundCount >= this.limit) break;
      const key = seenKey(page.url, allowHash);
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      this.foundCount++;
      const queued: QueuedPage = { ...page, pageId: randomUUID(), retries: 0, interruptions: 0, at: Date.now() };
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

  async take(): Promise<QueuedPage | null> {
    this.releaseHeld();
    const page = this.pop();
    if (!page) return null;
    this.inFlight.add(page.pageId);
    await this.log.append({ t: 'started', pageId: page.pageId });
    return page;
  }

  owns(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async finish(page: QueuedPage): Promise<void> {
    await this.settle({ t: 'done', pageId: page.pageId });
    this.doneCount++;
  }

  async retry(page: QueuedPage, { delayMs = 0, most }: RetryOptions = {}): Promise<boolean> {
    const retries = page.retries + 1;
    const final = isLastTry(page, most);
    await this.settle({ t: 'failed', pageId: page.pageId, retries, final });
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

  async giveBack(page: QueuedPage): Promise<void> {
    await this.settle({ t: 'failed', pageId: page.pageId, retries: page.retries, final: false });
    this.push(page);
  }

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

  async abandon(page: QueuedPage): Promise<void> {
    await this.settle({ t: 'dropped', pageId: page.pageId });
    this.foundCount--;
  }

  keepRedirect(seedId: number, url: string): Promise<void> {
    return this.log.append({ t: 'redirect', seedId, url });
  }

  nextTryMs(): number {
    const soonest = Math.min(IDLE_POLL_MS, ...this.held.map(({ notBefore }) => notBefore - Date.now()));
    return Math.max(0, soonest) + 10;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

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

  /** Writes the result of a page in flight. */
  private async settle(entry: Extract<StateEntry, { t: 'done' | 'failed' | 'dropped' }>): Promise<void> {
    await this.log.append(entry);
    this.inFlight.delete(entry.pageId);
  }

  private push(page: QueuedPage): void {
    const score = page.depth + page.hops * HOP_WEIGHT + (page.retries + page.interruptions) * RETRY_WEIGHT;
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
      // Taken items are dropped in bulk, because shifting each would cost the queue's length every time.
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
