import type { ChainableCommander, Redis } from 'ioredis';
import type { StateEntry } from '../protocol.js';
import type { JobKeys } from './job-keys.js';
import { readTail } from './line-tail.js';

type Queued = Extract<StateEntry, { t: 'queued' }>;

/** A retried page comes behind those of its depth (spec crawling §14.5, `:q`). */
const SCORE_OF_HOP = 1e6;
const SCORE_OF_RETRY = 2e6;

/**
 * Shows queue and seen set of the instance in Redis. The journal in the working directory stays the truth: after Redis
 * was lost it is told again from the start.
 */
export class QueueMirror {
  /** Pages not finished yet, by id. */
  private readonly open = new Map<string, { entry: Queued; member: string; started: boolean }>();
  private read = 0;
  private caughtUp = false;
  /** What Redis has; undefined until asked. */
  private told: number | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly keys: JobKeys,
    private readonly path: string,
  ) {}

  /** Redis may have lost everything: ask it anew what it has. */
  forget(): void {
    this.open.clear();
    this.read = 0;
    this.caughtUp = false;
    this.told = undefined;
  }

  /** Brings Redis up to the end of the file. */
  async run(): Promise<void> {
    this.told ??= Number((await this.redis.hget(this.keys.offsets, 'state')) ?? 0);
    for (;;) {
      const { entries, end } = await readTail<StateEntry>(this.path, this.read);
      if (end === this.read) return this.requeueStarted();
      // Lines that Redis has already only fill the map of open pages.
      const isNew = end > this.told;
      const batch = this.redis.multi();
      for (const entry of entries) this.apply(batch, entry);
      this.read = end;
      if (!isNew) continue;
      await batch.hset(this.keys.offsets, 'state', end).exec();
      this.told = end;
    }
  }

  /** Pages that an earlier process of the instance had begun are crawled again. */
  private async requeueStarted(): Promise<void> {
    if (this.caughtUp) return;
    this.caughtUp = true;
    const batch = this.redis.multi();
    for (const { entry, started } of [...this.open.values()]) if (started) this.queue(batch, entry);
    await batch.exec();
  }

  private apply(batch: ChainableCommander, entry: StateEntry): void {
    switch (entry.t) {
      case 'queued':
        return this.queue(batch, entry);
      case 'started':
        return this.unqueue(batch, entry.pageId);
      case 'done':
        this.unqueue(batch, entry.pageId);
        return void this.open.delete(entry.pageId);
      case 'dropped': {
        const page = this.open.get(entry.pageId);
        this.unqueue(batch, entry.pageId);
        if (page) batch.sadd(this.keys.excluded, page.entry.url);
        return void this.open.delete(entry.pageId);
      }
      case 'failed':
        return this.failed(batch, entry);
      default:
        return;
    }
  }

  private queue(batch: ChainableCommander, entry: Queued, retry = 0): void {
    const { url, seedId, depth, hops, pageId, at } = entry;
    const member = JSON.stringify({
      added: new Date(at).toISOString(),
      url,
      seedId,
      depth,
      extraHops: hops,
      pageid: pageId,
      ...(retry ? { retry } : {}),
    });
    this.open.set(pageId, { entry, member, started: false });
    batch.sadd(this.keys.seen, url);
    batch.zadd(this.keys.queue, depth + hops * SCORE_OF_HOP + retry * SCORE_OF_RETRY, member);
  }

  private unqueue(batch: ChainableCommander, pageId: string): void {
    const page = this.open.get(pageId);
    if (!page) return;
    page.started = true;
    batch.zrem(this.keys.queue, page.member);
  }

  private failed(batch: ChainableCommander, { pageId, retries, final }: Extract<StateEntry, { t: 'failed' }>): void {
    const page = this.open.get(pageId);
    this.unqueue(batch, pageId);
    if (!page) return;
    if (!final) return this.queue(batch, page.entry, retries);
    batch.rpush(this.keys.failed, page.member);
    this.open.delete(pageId);
  }
}
