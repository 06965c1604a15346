-- A seek takes its place, and is paired if somebody waits who fits. Both leave the pool in the same
-- moment, and what follows, their room, is due from then on until it is made.
-- KEYS    as waiting.lua has them
-- ARGV    1 player  2 pool ('' only looks again)  3 rating, or '' where it does not matter  4 name
--         5 the key it was asked with, or ''  6 lease in ms  7 an id for the pairing, if there is one
--         8 the player's last pairing, as far as known ('-': whichever)
-- return  {hall, down, since, what became of it: '', x (given up), - (nothing: the last pairing is
--         another) or a pairing's id, the pool that the key was first used for, where that is
--         another: nothing was done for this one}

local player, pool, rating, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local asked, lease, pairing, last_known = ARGV[5], tonumber(ARGV[6]), ARGV[7], ARGV[8]

local TAKEN_UP = 1500  -- when whoever paired them has not made the room by then, somebody else does
local seek, with_key = key('seek', player), key('asked', player .. ':' .. asked)

if pool ~= '' then
  local told = asked ~= '' and redis.call('GET', with_key) or ''
  local first, wanted = string.match(told, '^(%d+) (.*)$')
  local fate = first and redis.call('GET', key('fate', player .. ':' .. first))
  if fate or first and wanted ~= pool then
    return {hall, down, tonumber(first), fate or '', wanted ~= pool and wanted or ''}
  end
  if last_known ~= '-' and last_known ~= (redis.call('GET', key('paired', player)) or '') then
    return {hall, down, 0, '-', ''}
  end
  if not is_there(player) then leave(player) end
  local known = redis.call('HMGET', seek, 'pool', 'since')
  local since = tonumber(known[2] or hall)
  if known[1] ~= pool then
    leave(player, 'x')
    -- Two seeks of a player are told apart by this.
    if known[1] then since = math.max(hall, since + 1) end
  end
  redis.call('HSET', seek, 'pool', pool, 'rating', rating, 'since', since, 'name', name)
  redis.call('ZADD', leases, hall + lease, player)
  redis.call('ZADD', key('ages', pool), since, player)
  if rating ~= '' then redis.call('ZADD', key('ratings', pool), rating, player) end
  redis.call('ZADD', pools, redis.call('ZCARD', key('ages', pool)), pool)
  if asked ~= '' then redis.call('SET', with_key, since .. ' ' .. pool, 'PX', REMEMBERED) end
end

local one = is_there(player) and who(player)
if not one then return {hall, down, 0, '', ''} end
local other = partner_of(one)
if not other then return {hall, down, one.since, '', ''} end

local since, pair = one.since, {other, one}
if one.since < other.since then pair = {one, other} end
local told = {}
for i, each in ipairs(pair) do
  told[i] = string.format('%s %d %s', each.player, each.since, each.name)
  leave(each.player, pairing)
  redis.call('SET', key('last', each.player), pair[3 - i].player, 'PX', REMEMBERED)
  redis.call('SET', key('paired', each.player), pairing, 'PX', REMEMBERED)
end
redis.call('HSET', pairings, pairing, string.format('%s %s %s', told[1], told[2], one.pool))
redis.call('ZADD', deadlines, hall + TAKEN_UP, pairing)
return {hall, down, since, pairing, ''}
