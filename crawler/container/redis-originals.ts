import { Redis } from 'ioredis';
import { digestsKey, ORIGINALS_KEY, parseDigestValue, waczsKey } from '../../formats/redis-keys/dedupe-keys.js';
import { errorText } from '../base/time.js';
import type { OriginalCapture } from '../protocol.js';

type Wacz = OriginalCapture['wacz'];

/** WACZs kept in memory, a few hundred bytes each. */
const MOST_WACZS = 10_000;

/** Looks bodies up in a collection's index in Redis, as the official crawler does (spec crawling §13). */
export class RedisOriginals {
  private readonly redis: Redis;
  private readonly waczs = new Map<string, Wacz>();
  private isFailing = false;

  constructor(
    url: string,
    private readonly say: (line: string) => void,
  ) {
    // A question that can't be asked now is answered with nothing, so none may wait for the connection.
    this.redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    this.redis.on('error', () => undefined);
  }

  /** What is found of the digests; nothing while Redis is away. */
  async find(digests: readonly string[]): Promise<OriginalCapture[]> {
    try {
      const found = await this.lookUp(digests);
      this.isFailing = false;
      return found;
    } catch (error) {
      if (!this.isFailing) this.say(`The dedupe index cannot be asked: ${errorText(error)}`);
      this.isFailing = true;
      return [];
    }
  }

  /** Whether questions can be asked. Before, and while Redis is away, nothing is found. */
  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  close(): void {
    this.redis.disconnect();
  }

  private async lookUp(digests: readonly string[]): Promise<OriginalCapture[]> {
    if (digests.length === 0) return [];
    const crawls = await this.redis.hmget(ORIGINALS_KEY, ...digests.map(plain));
    const holders = digests.flatMap((digest, at) => (crawls[at] ? [{ digest, crawlId: crawls[at] }] : []));
    const batch = this.redis.pipeline();
    for (const { digest, crawlId } of holders) batch.hget(digestsKey(crawlId), plain(digest));
    const values = (await batch.exec()) ?? [];
    const found = await Promise.all(
      holders.map(({ digest, crawlId }, at) => this.toOriginal(digest, crawlId, values[at]?.[1])),
    );
    return found.flatMap((original) => original ?? []);
  }

  private async toOriginal(digest: string, crawlId: string, value: unknown): Promise<OriginalCapture | null> {
    const parsed = typeof value === 'string' ? parseDigestValue(value) : null;
    if (!parsed) return null;
    const { url, date, size } = parsed;
    const wacz = await this.waczOf(crawlId, parsed.wacz);
    return wacz && { digest, url, date, size, itemId: crawlId, wacz };
  }

  private async waczOf(crawlId: string, number: number): Promise<Wacz | null> {
    const key = `${crawlId} ${String(number)}`;
    const known = this.waczs.get(key);
    if (known) return known;
    const text = await this.redis.lindex(waczsKey(crawlId), number);
    const entry = text === null ? null : (JSON.parse(text) as { filename?: string; hash?: string; size?: number });
    if (!entry?.filename) return null;
    const wacz = { name: entry.filename, hash: entry.hash ?? '', size: entry.size ?? 0 };
    if (this.waczs.size >= MOST_WACZS) this.waczs.clear();
    this.waczs.set(key, wacz);
    return wacz;
  }
}

/** `sha256:ab…` -> `ab…` */
const plain = (digest: string): string => digest.slice(digest.indexOf(':') + 1);
