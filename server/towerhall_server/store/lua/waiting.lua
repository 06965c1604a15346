-- What the scripts of the lobby share: those who wait, and how one leaves. It follows hall.lua.
-- KEYS  1 pulse  2 deadlines  3 pairings  4 leases  5 pools  6 nodes
--       7 the head of all other keys of the lobby: a kind and a name follow, as keys.py has them

local deadlines, pairings, leases, pools, nodes = unpack(KEYS, 2, 6)
local function key(kind, name) return KEYS[7] .. kind .. ':' .. name end

local REMEMBERED = 600000  -- how long a seek's end can be asked for, and an opponent is the last one

-- Whoever leaves may ask later what became of the seek. One that lapsed came to nothing: no fate.
local function leave(player, fate)
  local known = redis.call('HMGET', key('seek', player), 'pool', 'since')
  local pool, since = known[1], known[2]
  redis.call('ZREM', leases, player)
  if not pool then return end
  redis.call('DEL', key('seek', player))
  redis.call('ZREM', key('ratings', pool), player)
  redis.call('ZREM', key('ages', pool), player)
  local left = redis.call('ZCARD', key('ages', pool))
  if left > 0 then redis.call('ZADD', pools, left, pool) else redis.call('ZREM', pools, pool) end
  if fate then redis.call('SET', key('fate', player .. ':' .. since), fate, 'PX', REMEMBERED) end
end

local function is_there(player)
  local until_ms = tonumber(redis.call('ZSCORE', leases, player) or 0)
  return until_ms > hall
end
