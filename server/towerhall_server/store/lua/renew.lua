-- A node says that it is there, how many players it has, and which of the seeks are theirs.
-- KEYS    as waiting.lua has them
-- ARGV    1 node  2 its players ('' says nothing of them)  3 lease in ms  4... player, since, ...
-- return  {hall, down, {player, what became of the seek: '' (it lapsed), x or a pairing, ...}}:
--         those who no longer wait

local node, players, lease = ARGV[1], ARGV[2], tonumber(ARGV[3])

local SWEPT = 500

for _, player in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', hall, 'LIMIT', 0, SWEPT)) do
  leave(player)
end
local gone = {}
for i = 4, #ARGV, 2 do
  local player, since = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', key('seek', player), 'since') == since and is_there(player) then
    redis.call('ZADD', leases, hall + lease, player)
  else
    local fate = redis.call('GET', key('fate', player .. ':' .. since))
    local unsought = tonumber(redis.call('GET', key('unsought', player)) or 0)
    table.insert(gone, player)
    table.insert(gone, fate or unsought > tonumber(since) and 'x' or '')
  end
end
if players ~= '' then
  redis.call('HSET', nodes, node, string.format('%s %d', players, hall + lease))
  local told = redis.call('HGETALL', nodes)
  for i = 1, #told, 2 do
    if tonumber(string.match(told[i + 1], '%d+$')) <= hall then redis.call('HDEL', nodes, told[i]) end
  end
  -- Somebody looks after those who wait, twice a second: it is due for ever.
  redis.call('ZADD', deadlines, 'NX', hall, 'look')
end
return {hall, down, gone}
