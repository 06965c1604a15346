-- A player gives up the seek, if there is one.
-- KEYS    as waiting.lua has them
-- ARGV    1 player
-- return  {hall, down}

leave(ARGV[1], 'x')
-- It may have lapsed: whichever nodes kept it are to know that it is not to be placed again.
redis.call('SET', key('unsought', ARGV[1]), hall, 'PX', REMEMBERED)
return {hall, down}
