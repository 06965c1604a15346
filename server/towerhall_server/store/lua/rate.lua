-- What a rated match did to two players, written once.
-- KEYS    1 ratings, a hash: player -> rating  2 best, a zset: player -> value  3 applied
-- ARGV    1 one player  2 the other  3 and 4 their ratings as read, '' for none
--         5 and 6 as they are now  7 and 8 their values, '' where they have no place
--         9 what is told of it  10 how long that is remembered, in ms
-- return  {'ok' or 'repeated', what was told then}  {'stale', ''}

local ratings, best, applied = KEYS[1], KEYS[2], KEYS[3]
local told, keep = ARGV[9], ARGV[10]

local done = redis.call('GET', applied)
if done then return {'repeated', done} end
for i = 1, 2 do
  local current = redis.call('HGET', ratings, ARGV[i]) or ''
  if current ~= ARGV[i + 2] then return {'stale', ''} end
end

for i = 1, 2 do
  local player, rating, value = ARGV[i], ARGV[i + 4], ARGV[i + 6]
  redis.call('HSET', ratings, player, rating)
  if value ~= '' then redis.call('ZADD', best, value, player) end
end
redis.call('SET', applied, told, 'PX', keep)
return {'ok', told}
