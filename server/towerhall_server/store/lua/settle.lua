-- A pairing's room is made: nothing more is due, and every node hears of it, once.
-- KEYS    as waiting.lua has them
-- ARGV    1 pairing  2 channel  3 what is told
-- return  {hall, down}

redis.call('ZREM', deadlines, ARGV[1])
if redis.call('HDEL', pairings, ARGV[1]) == 1 then redis.call('PUBLISH', ARGV[2], ARGV[3]) end
return {hall, down}
