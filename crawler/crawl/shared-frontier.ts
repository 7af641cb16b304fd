import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from '../channel/logger.js';
import { instanceName, runKeys, type RunKeys } from '../../formats/redis-keys/run-keys.js';
import type { SharedQueueConfig } from '../protocol.js';
import { seenKey } from '../scope/url.js';
import { isLastTry, QueueLost, type FoundPage, type PageQueue, type RetryOptions } from './page-queue.js';
import { ADD, DROP, OWN, RELEASE, RENEW, scriptKeys, SITEMAPS, TAKE } from './shared-scripts.js';
import type { QueuedPage, RestoredState, StateLog } from './state-log.js';

/** How long an instance keeps a page without renewing its lock, ms. */
const LOCK_MS = 60_000;
/** Interval in ms for looking for pages of other instances while there are none. */
const POLL_MS = 1_000;
const RECONNECT_MS = 500;
const CHUNK = 1_000;

/** A page as the queue in Redis stores it (spec crawling §14.5, `:q`). */
interface Member {
  readonly added: string;
  readonly url: string;
  readonly seedId: number;
  readonly depth: number;
  readonly extraHops: number;
  readonly pageid?: string;
  readonly retry?: number;
  /** A field that the official crawler does not have. */
  readonly interrupted?: number;
}

export interface SharedFrontierOptions {
  readonly jobId: string;
  readonly shared: SharedQueueConfig;
  /** Page limit; 0: unlimited. */
  readonly limit: number;
  /** The pages with rows in this instance's directory. */
  readonly restored: Pick<RestoredState, 'done' | 'over'>;
  readonly lockMs?: number;
  readonly onRedirect: (seedId: number, url: string) => void;
}

type Release = 'done' | 'failed' | 'queue' | 'hold' | 'exclude';

/**
 * The queue in Redis that several instances of a crawl share. A page in flight belongs to one instance while it renews
 * its lock. Pages that an instance leaves behind go back to the queue. While Redis is away every call waits: no page is
 * taken, and nothing piles up.
 */
export class SharedFrontier implements PageQueue {
  private readonly redis: Redis;
  private readonly keys: RunKeys;
  private readonly uid: string;
  private readonly lockMs: number;
  private readonly inFlight = new Map<string, QueuedPage>();
  /** URLs that need not be asked for, because Redis has them. */
  private readonly known = new Set<string>();
  private counts = { queued: 0, held: 0, taken: 0, found: 0, done: 0, failed: 0, redirects: 0, nextHeldMs: -1 };
  private redirectsRead = 0;
  private timer: NodeJS.Timeout | null = null;
  private renewing = false;

  constructor(
    private readonly options: SharedFrontierOptions,
    private readonly log: StateLog,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {
    const { jobId, shared } = options;
    this.keys = runKeys(jobId);
    this.uid = instanceName(jobId, shared.index);
    this.lockMs = options.lockMs ?? LOCK_MS;
    this.redis = new Redis(shared.redisUrl, {
      lazyConnect: true,
      maxRetriesPerRequest: null,
      retryStrategy: () => RECONNECT_MS,
    });
    this.redis.on('error', () => undefined);
  }

  get found(): number {
    return this.counts.found;
  }
  get done(): number {
    return this.counts.done;
  }
  get failed(): number {
    return this.counts.failed;
  }
  get pending(): number {
    return this.counts.queued + this.counts.held;
  }
  get busy(): number {
    return this.inFlight.size;
  }
  get isFull(): boolean {
    return this.options.limit > 0 && this.counts.found >= this.options.limit;
  }
  get isExhausted(): boolean {
    return this.pending === 0 && this.counts.taken === 0;
  }

  /** Settles the pages that a former process of this instance had in flight. Keeps the locks from now on. */
  async open(): Promise<void> {
    const { done, over } = this.options.restored;
    const entries = Object.values(await this.redis.hgetall(this.keys.inProgress));
    for (const text of entries) {
      const { uid, member } = JSON.parse(text) as { uid: string; member: string };
      if (uid !== this.uid) continue;
      const page = pageOf(member);
      if (over.has(page.pageId)) await this.release(page, done.has(page.pageId) ? 'done' : 'failed');
      else await this.release({ ...page, interruptions: page.interruptions + 1 }, 'queue');
    }
    this.timer = setInterval(() => void this.renew(), this.lockMs / 6);
  }

  async isSeeded(): Promise<boolean> {
    return (await this.redis.exists(this.keys.seeded)) === 1;
  }

  async markSeeded(): Promise<void> {
    await this.redis.set(this.keys.seeded, '1');
  }

  async sitemaps(): Promise<'read' | 'wait' | 'done'> {
    return (await this.run(SITEMAPS, this.uid, this.lockMs)) as 'read' | 'wait' | 'done';
  }

  async sitemapsRead(): Promise<void> {
    await this.redis.set(this.keys.sitemapDone, '1');
  }

  async add(pages: readonly FoundPage[]): Promise<number> {
    const args: string[] = [];
    for (const { allowHash, ...page } of pages) {
      const key = seenKey(page.url, allowHash);
      if (this.known.has(key)) continue;
      args.push(key, memberOf({ ...page, pageId: randomUUID(), retries: 0, interruptions: 0, at: Date.now() }));
    }
    if (args.length === 0) return 0;
    const added = (await this.run(ADD, this.options.limit, ...args)) as number;
    // With a full queue a page may become new again when another one is dropped.
    if (!this.isFull) for (let i = 0; i < args.length; i += 2) this.known.add(args[i]!);
    return added;
  }

  hasSeen(url: string, allowHash: boolean): boolean {
    return this.known.has(seenKey(url, allowHash));
  }

  async take(): Promise<QueuedPage | null> {
    const member = (await this.run(TAKE, this.uid, this.lockMs)) as string | number;
    if (typeof member === 'number') throw new QueueLost('Redis lost the queue of the crawl');
    await this.readRedirects();
    if (member === '') return null;
    const page = pageOf(member);
    this.inFlight.set(page.url, page);
    return page;
  }

  async owns(page: QueuedPage): Promise<boolean> {
    if ((await this.run(OWN, this.uid, this.lockMs, page.url)) === 1) return true;
    this.inFlight.delete(page.url);
    return false;
  }

  /** The directory gets the row before Redis does, so that a crash in between does not repeat the page. */
  async finish(page: QueuedPage): Promise<void> {
    await this.log.append({ t: 'done', pageId: page.pageId });
    await this.log.sync();
    await this.release(page, 'done');
  }

  async retry(page: QueuedPage, { delayMs = 0, most }: RetryOptions = {}): Promise<boolean> {
    const retries = page.retries + 1;
    if (isLastTry(page, most)) {
      await this.log.append({ t: 'failed', pageId: page.pageId, retries, final: true });
      await this.release(page, 'failed');
      return false;
    }
    await this.release({ ...page, retries }, delayMs > 0 ? 'hold' : 'queue', delayMs);
    return true;
  }

  async giveBack(page: QueuedPage): Promise<void> {
    await this.release(page, 'queue');
  }

  async drop(matches: (url: string) => boolean): Promise<number> {
    let dropped = 0;
    for (const key of [this.keys.queue, this.keys.held]) {
      // From the end, dropped pages do not move unread ones. Pages added meanwhile are checked later.
      for (let end = (await this.redis.zcard(key)) - 1; end >= 0; end -= CHUNK) {
        const members = await this.redis.zrange(key, String(Math.max(0, end - CHUNK + 1)), String(end));
        const args = members.flatMap((member) => {
          const { url } = JSON.parse(member) as Member;
          return matches(url) ? [url, member] : [];
        });
        if (args.length > 0) dropped += (await this.run(DROP, ...args)) as number;
      }
    }
    return dropped;
  }

  async abandon(page: QueuedPage): Promise<void> {
    await this.release(page, 'exclude');
  }

  async keepRedirect(seedId: number, url: string): Promise<void> {
    await this.redis.rpush(this.keys.redirects, JSON.stringify({ seedId, url }));
  }

  nextTryMs(): number {
    const { nextHeldMs } = this.counts;
    return nextHeldMs < 0 ? POLL_MS : Math.min(POLL_MS, nextHeldMs + 10);
  }

  /** Empty, because the queue of a shared run is read from Redis. */
  list(): string[] {
    return [];
  }

  close(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.redis.disconnect();
    return Promise.resolve();
  }

  private async release(page: QueuedPage, what: Release, delayMs = 0): Promise<void> {
    await this.run(RELEASE, this.uid, page.url, what, memberOf(page), delayMs);
    this.inFlight.delete(page.url);
  }

  private async renew(): Promise<void> {
    // While Redis is away only one call waits. More of them would all run at once later.
    if (this.renewing) return;
    this.renewing = true;
    try {
      const back = await this.run(RENEW, this.uid, this.lockMs, ...this.inFlight.keys());
      for (const page of back as string[])
        this.logger.warn('worker', 'Page taken back, its instance is gone', { page });
    } catch {
      // The connection is closed, or the next renewal repeats this.
    } finally {
      this.renewing = false;
    }
  }

  private async readRedirects(): Promise<void> {
    if (this.counts.redirects <= this.redirectsRead) return;
    const texts = await this.redis.lrange(this.keys.redirects, this.redirectsRead, -1);
    this.redirectsRead += texts.length;
    for (const text of texts) {
      const { seedId, url } = JSON.parse(text) as { seedId: number; url: string };
      this.options.onRedirect(seedId, url);
    }
  }

  private async run(script: string, ...args: (string | number)[]): Promise<unknown> {
    const keys = scriptKeys(this.keys);
    const [result, queued, held, taken, found, done, failed, redirects, nextHeldMs] = (await this.redis.eval(
      script,
      keys.length,
      ...keys,
      ...args.map(String),
    )) as [unknown, number, number, number, number, number, number, number, number];
    this.counts = { queued, held, taken, found, done, failed, redirects, nextHeldMs };
    return result;
  }
}

function memberOf({ at, url, seedId, depth, hops, pageId, retries, interruptions }: QueuedPage): string {
  const member: Member = {
    added: new Date(at).toISOString(),
    url,
    seedId,
    depth,
    extraHops: hops,
    pageid: pageId,
    ...(retries ? { retry: retries } : {}),
    ...(interruptions ? { interrupted: interruptions } : {}),
  };
  return JSON.stringify(member);
}

function pageOf(text: string): QueuedPage {
  const { added, url, seedId, depth, extraHops, pageid, retry, interrupted } = JSON.parse(text) as Member;
  return {
    url,
    // A page that the official crawler queued may have no id.
    pageId: pageid ?? randomUUID(),
    depth,
    hops: extraHops,
    seedId,
    seed: depth === 0,
    retries: retry ?? 0,
    interruptions: interrupted ?? 0,
    at: Date.parse(added),
  };
}
