import type { RunKeys } from '../../formats/redis-keys/run-keys.js';
import { HOP_WEIGHT, RETRY_WEIGHT } from './page-queue.js';

/** Each change of the shared queue is one of these: Redis runs a script whole or not at all. */

/** KEYS of every script, in the order of `PRELUDE`. */
export const scriptKeys = (keys: RunKeys): string[] => [
  keys.queue,
  keys.held,
  keys.inProgress,
  keys.seen,
  keys.excluded,
  keys.extraSeeds,
  keys.finished,
  keys.failed,
  keys.seeded,
  keys.redirects,
  keys.sitemapReader,
  keys.sitemapDone,
];

/** Every script returns the counts after its own result, so that an instance knows the others' work. */
const PRELUDE = `
local queue, held, taken, seen, excluded, extra, finished, failed, seeded, redirects, reader, read = unpack(KEYS)
local function nowMs()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end
local function score(page)
  local tries = (page.retry or 0) + (page.interrupted or 0)
  return page.depth + page.extraHops * ${HOP_WEIGHT} + tries * ${RETRY_WEIGHT}
end
local function enqueue(member) redis.call('ZADD', queue, score(cjson.decode(member)), member) end
local function lock(url) return taken .. ':' .. url end
local function found() return redis.call('SCARD', seen) - redis.call('LLEN', extra) - redis.call('SCARD', excluded) end
local function ownerOf(url)
  local entry = redis.call('HGET', taken, url)
  return entry and cjson.decode(entry).uid
end
local function answer(result)
  local first = redis.call('ZRANGE', held, 0, 0, 'WITHSCORES')[2]
  return { result, redis.call('ZCARD', queue), redis.call('ZCARD', held), redis.call('HLEN', taken), found(),
    tonumber(redis.call('GET', finished) or '0'), redis.call('LLEN', failed), redis.call('LLEN', redirects),
    first and math.max(0, math.floor(tonumber(first) - nowMs())) or -1 }
end
`;

/** ARGV: page limit (0: none), then each page's key in the seen set and queue member. Returns how many were new. */
export const ADD = `${PRELUDE}
local limit, count, new = tonumber(ARGV[1]), found(), 0
for i = 2, #ARGV, 2 do
  if limit > 0 and count >= limit then break end
  if redis.call('SADD', seen, ARGV[i]) == 1 then
    enqueue(ARGV[i + 1])
    count = count + 1
    new = new + 1
  end
end
return answer(new)
`;

/** ARGV: instance, time of the lock in ms. Returns the member taken, '' for none, and -1 when the queue is lost. */
export const TAKE = `${PRELUDE}
if redis.call('EXISTS', seeded) == 0 then return answer(-1) end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', held, '-inf', nowMs())) do
  redis.call('ZREM', held, member)
  enqueue(member)
end
local member = redis.call('ZRANGE', queue, 0, 0)[1]
if not member then return answer('') end
local url = cjson.decode(member).url
redis.call('ZREM', queue, member)
redis.call('HSET', taken, url, cjson.encode({ uid = ARGV[1], member = member }))
redis.call('SET', lock(url), ARGV[1], 'PX', ARGV[2])
return answer(member)
`;

/**
 * ARGV: instance, URL, result of the page (done, failed, queue, hold, exclude), its member, ms to hold it back. Returns
 * 0 when the page no longer belongs to the instance.
 */
export const RELEASE = `${PRELUDE}
local uid, url, what, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if ownerOf(url) ~= uid then return answer(0) end
redis.call('HDEL', taken, url)
redis.call('DEL', lock(url))
if what == 'queue' then enqueue(member)
elseif what == 'hold' then redis.call('ZADD', held, nowMs() + tonumber(ARGV[5]), member)
elseif what == 'exclude' then redis.call('SADD', excluded, url)
else
  if what == 'failed' then redis.call('RPUSH', failed, member) end
  redis.call('INCR', finished)
end
return answer(1)
`;

/**
 * ARGV: instance, time of the lock in ms, then the URLs in flight here. Renews their locks, then requeues pages whose
 * lock nobody renews. If that happened too often, the next taker gives the page up and writes its row. Returns their
 * URLs.
 */
export const RENEW = `${PRELUDE}
local uid, ttl = ARGV[1], ARGV[2]
for i = 3, #ARGV do
  if ownerOf(ARGV[i]) == uid then redis.call('SET', lock(ARGV[i]), uid, 'PX', ttl) end
end
if redis.call('GET', reader) == uid then redis.call('PEXPIRE', reader, ttl) end
local back = {}
local entries = redis.call('HGETALL', taken)
for i = 1, #entries, 2 do
  local url = entries[i]
  if redis.call('EXISTS', lock(url)) == 0 then
    redis.call('HDEL', taken, url)
    local page = cjson.decode(cjson.decode(entries[i + 1]).member)
    page.interrupted = (page.interrupted or 0) + 1
    enqueue(cjson.encode(page))
    back[#back + 1] = url
  end
end
return answer(back)
`;

/** ARGV: instance, time of the lock in ms, URL. Renews the lock and returns 1 while the instance has the page. */
export const OWN = `${PRELUDE}
if ownerOf(ARGV[3]) ~= ARGV[1] then return answer(0) end
redis.call('SET', lock(ARGV[3]), ARGV[1], 'PX', ARGV[2])
return answer(1)
`;

/** ARGV: URL and member of pages to drop, in turn. Returns how many still waited. */
export const DROP = `${PRELUDE}
local count = 0
for i = 1, #ARGV, 2 do
  if redis.call('ZREM', queue, ARGV[i + 1]) + redis.call('ZREM', held, ARGV[i + 1]) > 0 then
    redis.call('SADD', excluded, ARGV[i])
    count = count + 1
  end
end
return answer(count)
`;

/** ARGV: instance, time of the lock in ms. Returns 'done', 'read' (the instance has the lock now) or 'wait'. */
export const SITEMAPS = `${PRELUDE}
if redis.call('EXISTS', read) == 1 then return answer('done') end
if redis.call('SET', reader, ARGV[1], 'NX', 'PX', ARGV[2]) or redis.call('GET', reader) == ARGV[1] then
  return answer('read')
end
return answer('wait')
`;
