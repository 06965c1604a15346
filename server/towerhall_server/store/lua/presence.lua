-- Who is at a room: what one node sees there, joined with what the others see.
-- KEYS    1 pulse  2 here, a hash: n:<node> -> "seat0 seat1 watchers expires refreshed",
--         summary -> "seat0 seat1 away0 away1 watchers", as it was told last  3 live
-- ARGV    1 node ('' only looks)  2 seat0 and 3 seat1: 1 or 0  4 watchers  5 lease in ms
--         6 channel  7 what a published summary begins with  8 room id
-- return  {hall, down, seat0, seat1, away0 or 0, away1 or 0, watchers}

local here = KEYS[2]
local own, lease, channel, head = ARGV[1], tonumber(ARGV[5]), ARGV[6], ARGV[7]

local DAY = 86400000
local nodes, told = {}, '0 0 0 0 0'
local stored = redis.call('HGETALL', here)
for i = 1, #stored, 2 do
  local node = string.match(stored[i], '^n:(.*)$')
  if node then nodes[node] = stored[i + 1] else told = stored[i + 1] end
end

local online, left, watchers = {false, false}, {0, 0}, 0
local function see(seat0, seat1, watching)
  online = {online[1] or seat0 == '1', online[2] or seat1 == '1'}
  watchers = watchers + watching
end
for node, seen in pairs(nodes) do
  local seat0, seat1, watching, expires, refreshed =
    string.match(seen, '^(%d) (%d) (%d+) (%d+) (%d+)$')
  local expired = tonumber(expires) <= hall
  if expired then redis.call('HDEL', here, 'n:' .. node) end
  if not expired and node ~= own then see(seat0, seat1, watching) end
  -- Somebody whose node fell silent left when it last spoke.
  local went = expired and tonumber(refreshed) or hall
  if seat0 == '1' then left[1] = math.max(left[1], went) end
  if seat1 == '1' then left[2] = math.max(left[2], went) end
end
if own ~= '' then
  see(ARGV[2], ARGV[3], ARGV[4])
  if ARGV[2] .. ARGV[3] .. ARGV[4] == '000' then
    redis.call('HDEL', here, 'n:' .. own)
  else
    local seen = string.format('%s %s %s %d %d', ARGV[2], ARGV[3], ARGV[4], hall + lease, hall)
    redis.call('HSET', here, 'n:' .. own, seen)
  end
end

-- Away since the moment already told, until online again.
local away = {string.match(told, '^%d %d (%d+) (%d+)')}
for i = 1, 2 do
  local since = tonumber(away[i])
  away[i] = online[i] and 0 or since > 0 and since or left[i]
end
local summary = string.format('%d %d %d %d %d',
  online[1] and 1 or 0, online[2] and 1 or 0, away[1], away[2], watchers)
if summary ~= told then
  redis.call('HSET', here, 'summary', summary)
  redis.call('PUBLISH', channel, head .. summary)
end
-- Each time, or who stays for a rematch would not be counted for it.
local watched, room = KEYS[3] .. ':watched', ARGV[8]
if watchers == 0 then
  redis.call('ZREM', watched, room)
elseif redis.call('ZSCORE', KEYS[3] .. ':games', room) then
  redis.call('ZADD', watched, watchers, room)
end
redis.call('PEXPIRE', here, DAY)
return {hall, down, online[1] and 1 or 0, online[2] and 1 or 0, away[1], away[2], watchers}
