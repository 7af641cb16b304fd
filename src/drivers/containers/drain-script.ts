import type { StoreKeys } from '../../../formats/redis-keys/run-keys.js';

/**
 * Moves up to ARGV[1] messages from the run's lists to their `:taking` lists. It answers with these messages, oldest
 * first, and with the number of the batch. While a batch is unacknowledged it is handed over again, and no other
 * message is moved (crawling §14.5). KEYS are the key of batches, then the lists. The crawler pushes on the left of all
 * lists but the last, and on the right of the last.
 */
export const TAKE_SCRIPT = `
local wanted = tonumber(ARGV[1])
local out = { redis.call('GET', KEYS[1]) or '0' }
local held = 0
for i = 2, #KEYS do held = held + redis.call('LLEN', KEYS[i] .. ':taking') end
for i = 2, #KEYS do
  local taking = KEYS[i] .. ':taking'
  if held == 0 then
    local side = i == #KEYS and 'LEFT' or 'RIGHT'
    while wanted > 0 do
      if not redis.call('LMOVE', KEYS[i], taking, side, 'LEFT') then break end
      wanted = wanted - 1
    end
  end
  local items = redis.call('LRANGE', taking, 0, -1)
  local list = {}
  for n = #items, 1, -1 do list[#list + 1] = items[n] end
  out[#out + 1] = list
end
return out
`;

/** Drops the batch numbered ARGV[1], unless it was dropped before. KEYS are those of TAKE_SCRIPT. */
export const ACK_SCRIPT = `
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then return 0 end
redis.call('INCR', KEYS[1])
for i = 2, #KEYS do redis.call('DEL', KEYS[i] .. ':taking') end
return 1
`;

/** The lists in the order in which a batch delivers them. Files come last, because pages name them. */
export const drainKeys = (keys: StoreKeys): string[] => [
  keys.batches,
  keys.errors,
  keys.behaviors,
  keys.pages,
  keys.files,
];
