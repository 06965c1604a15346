-- A sign of life for a shard, and the deadlines that are due in it.
-- KEYS    1 pulse  2 deadlines
-- ARGV    1 how many deadlines to claim at most
-- return  {hall, down, {room, ...}}

local deadlines = KEYS[2]
local most = ARGV[1]

local LATE = 500      -- a deadline is executed this late: a move is credited with its journey
local CLAIMED = 500   -- after this another node takes over from one that died with the claim
local FRESH = 500     -- a younger sign of life is as good: many nodes write no more than one

if last and not awake then
  -- Also right for a clock that was set back: the hall goes on from where it stood.
  down = down + raw - last
end
if not awake or raw - last >= FRESH then
  redis.call('HSET', KEYS[1], 'last', raw, 'down', down)
end
hall = raw - down

local due = redis.call('ZRANGEBYSCORE', deadlines, '-inf', hall - LATE, 'LIMIT', 0, most)
for _, room in ipairs(due) do
  redis.call('ZADD', deadlines, hall - LATE + CLAIMED, room)
end
return {hall, down, due}
