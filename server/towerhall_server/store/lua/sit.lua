-- A seat more for a player, if there are not too many: those who ask at once are counted, too.
-- KEYS    1 seats, a hash: room -> seat  2 taking, a string: the seat may not be taken yet
-- ARGV    1 room  2 seat  3 how many there may be  4 how long the seat may not be taken yet, in ms
--         5 how long the seats are kept, in ms
-- return  1, or 0 where there are as many already

local seats, taking = KEYS[1], KEYS[2]
local room, seat, most, patience, kept = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]

if redis.call('HEXISTS', seats, room) == 0 then
  if redis.call('HLEN', seats) >= most then return 0 end
  redis.call('HSET', seats, room, seat)
end
redis.call('PEXPIRE', seats, kept)
redis.call('SET', taking, 1, 'PX', patience)
return 1
