import type { Redis } from 'ioredis';
import { INDEX_OWNER_KEY } from '../../../formats/redis-keys/dedupe-keys.js';
import { RUNS_KEY, storeKeys } from '../../../formats/redis-keys/run-keys.js';
import type { JobId } from '../crawl-driver.types.js';
import { RedisIndexCopy } from './redis-index-copy.js';

/**
 * Finds the run's database, or gives it the first that is empty, in one step of Redis: two processes that ask at once
 * get the same. What somebody else stores in a database is thus never touched. The run is noted among those that Redis
 * holds data of, so that its removal gives the database back, whoever dies meanwhile. 1,024 databases are looked at,
 * where there are so many; the last SELECT is the script's own and changes nothing for the connection.
 */
const CLAIM = `
local function take(db)
  local done = redis.pcall('SELECT', db)
  if done.err then return 'outside' end
  local owner = redis.call('GET', ARGV[2])
  if owner == ARGV[1] then return 'ours' end
  if owner or redis.call('DBSIZE') > 0 then return 'taken' end
  redis.call('SET', ARGV[2], ARGV[1])
  return 'ours'
end
local known = redis.call('GET', KEYS[1])
local first = known and tonumber(known)
if first and take(first) ~= 'ours' then first = nil end
local db = first
for number = 0, 1023 do
  if db then break end
  if number ~= tonumber(ARGV[3]) then
    local found = take(number)
    if found == 'outside' then break end
    if found == 'ours' then db = number end
  end
end
redis.call('SELECT', ARGV[3])
if not db then return -1 end
if db ~= first then
  redis.call('SET', KEYS[1], db)
  redis.call('SADD', KEYS[2], ARGV[1])
end
return db`;

/** A database of Redis with the copy of a run's index. */
export interface IndexDatabase {
  readonly copy: RedisIndexCopy;
  /** Address for the crawlers: `redis://host:port/db`. */
  readonly url: string;
}

/**
 * The databases of a Redis that hold copies of dedupe indexes: the official keys have no prefix, so every run takes a
 * database of its own, and in a Redis that others share gives it back.
 */
export class IndexDatabases {
  private readonly clients = new Map<number, Redis>();

  constructor(private readonly redis: Redis) {}

  /** The run's database; `none` when none is empty. @param url of Redis, as crawlers reach it */
  async open(jobId: JobId, url: string): Promise<IndexDatabase | 'none'> {
    const own = /\/(\d+)$/.exec(url)?.[1] ?? '0';
    const keys = [storeKeys(jobId).index, RUNS_KEY];
    const db = Number(await this.redis.eval(CLAIM, keys.length, ...keys, jobId, INDEX_OWNER_KEY, own));
    if (db < 0) return 'none';
    return { copy: new RedisIndexCopy(this.client(db), jobId), url: url.replace(/\/\d+$/, `/${String(db)}`) };
  }

  /** Empties the run's database, so that another run may have it. */
  async release(jobId: JobId): Promise<void> {
    const db = await this.redis.get(storeKeys(jobId).index);
    if (db !== null) await new RedisIndexCopy(this.client(Number(db)), jobId).release();
  }

  close(): void {
    for (const client of this.clients.values()) client.disconnect();
    this.clients.clear();
  }

  private client(db: number): Redis {
    const known = this.clients.get(db);
    if (known) return known;
    const client = this.redis.duplicate({ db });
    // Callers get the error from their own requests.
    client.on('error', () => undefined);
    this.clients.set(db, client);
    return client;
  }
}
