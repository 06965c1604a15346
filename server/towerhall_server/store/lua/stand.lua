-- A seat that seems to be false leaves the player's list, unless it is about to be taken: then it
-- only looks so.
-- KEYS    1 seats, a hash: room -> seat  2 taking, a string: the seat may not be taken yet
-- ARGV    1 room

if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('HDEL', KEYS[1], ARGV[1]) end
return 1
