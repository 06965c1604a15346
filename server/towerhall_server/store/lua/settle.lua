-- A pairing's room is made: nothing more is due, and every node hears of it, once.
-- KEYS    as waiting.lua has them
-- ARGV    1 pairing  2 channel  3 what is told
-- return  {hall, down, 1, or 0 where it was settled before}

redis.call('ZREM', deadlines, ARGV[1])
local settled = redis.call('HDEL', pairings, ARGV[1])
if settled == 1 then redis.call('PUBLISH', ARGV[2], ARGV[3]) end
return {hall, down, settled}
