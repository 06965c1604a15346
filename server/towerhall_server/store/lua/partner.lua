-- Who plays whom. It follows waiting.lua.
--
-- Of those in the pool who fit the oldest is taken, of the eight who wait longest or of the eight
-- nearest in rating on either side: what it costs does not depend on how many wait.

local NEAR, WIDENING, ANYBODY = 100, 0.04, 30000  -- rating, rating a ms, ms
local ALONE = 5000  -- two who have just played each other pair after this, where nobody else waits
local MOST = 8

-- Far apart in rating is what neither would take, and the one who waits longer takes more.
local function is_near(one, other)
  if one.rating == '' then return true end
  local waited = hall - math.min(one.since, other.since)
  return waited >= ANYBODY or math.abs(one.rating - other.rating) <= NEAR + WIDENING * waited
end

local function who(player)
  local known = redis.call('HMGET', key('seek', player), 'pool', 'rating', 'since', 'name')
  if not known[1] then return nil end
  local played = redis.call('GET', key('last', player))
  return {player = player, pool = known[1], rating = known[2], since = tonumber(known[3]),
    name = known[4], played = played}
end

local function partner_of(one)
  local best, again
  local function consider(found)
    for _, player in ipairs(found) do
      local other = player ~= one.player and who(player)
      if other and not is_there(player) then
        leave(player)
      elseif other and is_near(one, other) then
        local same = one.played == player or other.played == one.player
        if same then again = again or other end
        if not same and (not best or other.since < best.since) then best = other end
      end
    end
  end
  consider(redis.call('ZRANGE', key('ages', one.pool), 0, MOST))
  if not best and one.rating ~= '' then
    local ratings = key('ratings', one.pool)
    consider(redis.call('ZRANGEBYSCORE', ratings, one.rating, '+inf', 'LIMIT', 0, MOST + 1))
    consider(redis.call('ZREVRANGEBYSCORE', ratings, one.rating, '-inf', 'LIMIT', 0, MOST + 1))
  end
  if best or not again then return best end
  local patience = redis.call('ZCARD', key('ages', one.pool)) == 2 and ALONE or ANYBODY
  return hall - math.min(one.since, again.since) >= patience and again or nil
end
