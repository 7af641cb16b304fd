import type { Redis } from 'ioredis';
import {
  COPIED_SOURCES_KEY,
  digestsKey,
  digestValue,
  INDEX_OWNER_KEY,
  ORIGINALS_KEY,
  waczsKey,
} from '../../../formats/redis-keys/dedupe-keys.js';
import type { JobId, Original } from '../crawl-driver.types.js';
import { IndexCopy, IndexCopyLost, IndexCopyRefused, type CopiedEntry } from '../index-copy.js';

const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('FLUSHDB', 'ASYNC') end`;

/** Every write proves that the database is still the run's: a process that stood still may write after its end. */
const ONLY_OWNER = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n`;

const FORGET = `${ONLY_OWNER}
local gone = {}
for at = 2, #ARGV do gone[ARGV[at]] = true; redis.call('UNLINK', 'h:' .. ARGV[at], 'c:' .. ARGV[at] .. ':wacz') end
local known = redis.call('HGETALL', KEYS[2])
for at = 1, #known, 2 do if gone[known[at + 1]] then redis.call('HDEL', KEYS[2], known[at]) end end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('UNLINK', KEYS[3]) end
return 1`;

const BEGIN = `${ONLY_OWNER}
redis.call('UNLINK', KEYS[2], KEYS[3])
for at = 2, #ARGV do redis.call('RPUSH', KEYS[3], ARGV[at]) end
return 1`;

const PUT = `${ONLY_OWNER}
for at = 2, #ARGV, 3 do
  redis.call('HSET', 'h:' .. ARGV[at + 1], ARGV[at], ARGV[at + 2])
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
end
return 1`;

const COMPLETE = `${ONLY_OWNER}
for at = 2, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1]) end
return 1`;

/** Items or sources that one script changes, so that Redis answers others meanwhile. */
const AT_ONCE = 1_000;

/** The copy of an index in a database of Redis, with the keys of the official crawler. Source: crawling §13. */
export class RedisIndexCopy extends IndexCopy {
  constructor(
    private readonly redis: Redis,
    private readonly jobId: JobId,
  ) {
    super();
  }

  /** Empties the database if it is the run's. */
  async release(): Promise<void> {
    await this.redis.eval(RELEASE, 1, INDEX_OWNER_KEY, this.jobId);
  }

  override async sources(): Promise<Map<string, string>> {
    return new Map(Object.entries(await this.redis.hgetall(COPIED_SOURCES_KEY)));
  }

  override size(): Promise<number> {
    return this.redis.hlen(ORIGINALS_KEY);
  }

  override async forget(itemIds: readonly string[]): Promise<void> {
    for (let start = 0; start < itemIds.length; start += AT_ONCE)
      await this.write(FORGET, [COPIED_SOURCES_KEY, ORIGINALS_KEY], itemIds.slice(start, start + AT_ONCE));
  }

  override async begin(itemId: string, waczs: readonly Original['wacz'][]): Promise<void> {
    const list = waczs.map(({ name, hash, size }) => JSON.stringify({ filename: name, hash, size }));
    await this.write(BEGIN, [digestsKey(itemId), waczsKey(itemId)], list);
  }

  override async put(entries: readonly CopiedEntry[]): Promise<void> {
    const triples = entries.flatMap((entry) => [entry.digest, entry.itemId, digestValue(entry.wacz, entry)]);
    await this.write(PUT, [ORIGINALS_KEY], triples);
  }

  override async complete(sources: ReadonlyMap<string, string>): Promise<void> {
    const all = [...sources];
    for (let start = 0; start < all.length; start += AT_ONCE)
      await this.write(COMPLETE, [COPIED_SOURCES_KEY], all.slice(start, start + AT_ONCE).flat());
  }

  /** @throws IndexCopyLost when the database is not the run's any more, IndexCopyRefused when Redis takes no more */
  private async write(script: string, keys: readonly string[], values: readonly string[]): Promise<void> {
    const all = [INDEX_OWNER_KEY, ...keys];
    const isOurs = await this.redis.eval(script, all.length, ...all, this.jobId, ...values).catch((error: Error) => {
      throw error.name === 'ReplyError' ? new IndexCopyRefused(error.message) : error;
    });
    if (isOurs !== 1) throw new IndexCopyLost(`The copy of the index for ${this.jobId} is gone`);
  }
}
