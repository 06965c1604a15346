-- A finished match among those of one of its players, written once; the oldest make room.
-- KEYS    1 past, a hash: match -> entry  2 order, a zset: match -> ms
-- ARGV    1 match  2 its ms  3 its entry  4 how many are kept at most  5 for how many ms
-- return  1 if it is new, else 0

local past, order = KEYS[1], KEYS[2]
local match, at, entry, most, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]

local new = redis.call('HSETNX', past, match, entry)
if new == 1 then
  redis.call('ZADD', order, at, match)
  for _, old in ipairs(redis.call('ZRANGE', order, 0, -most - 1)) do
    redis.call('ZREM', order, old)
    redis.call('HDEL', past, old)
  end
end
redis.call('PEXPIRE', past, keep)
redis.call('PEXPIRE', order, keep)
return new
