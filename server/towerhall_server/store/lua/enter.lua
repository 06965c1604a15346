-- One connection more of a player, over all nodes; where there are too many, the oldest yield.
-- KEYS    as waiting.lua has them
-- ARGV    1 player  2 node  3 the node's name for the connection  4 how many there may be
-- return  {hall, down, {connection of this node that yields, ...}}: other nodes find theirs listed

local player, own, line, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local MONTH, HOUR = 2592000000, 3600000
local lines = key('lines', player)

local function is_up(node)
  local until_ms = string.match(redis.call('HGET', nodes, node) or '', '%d+$')
  return node == own or until_ms and tonumber(until_ms) > hall
end

local newest = 0
local known = redis.call('ZRANGE', lines, 0, -1, 'WITHSCORES')
for i = 1, #known, 2 do
  newest = tonumber(known[i + 1])
  -- The connections of a node that died are gone with it.
  if not is_up(string.match(known[i], '^%S+')) then redis.call('ZREM', lines, known[i]) end
end
redis.call('ZADD', lines, newest + 1, own .. ' ' .. line)
redis.call('PEXPIRE', lines, MONTH)

local yielding = {}
local too_many = redis.call('ZCARD', lines) - most
for _, oldest in ipairs(too_many > 0 and redis.call('ZRANGE', lines, 0, too_many - 1) or {}) do
  redis.call('ZREM', lines, oldest)
  local node, its = string.match(oldest, '^(%S+) (%S+)$')
  if node == own then
    table.insert(yielding, its)
  else
    redis.call('RPUSH', key('yielding', node), its)
    redis.call('PEXPIRE', key('yielding', node), HOUR)
  end
end
return {hall, down, yielding}
