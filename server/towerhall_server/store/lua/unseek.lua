-- A player gives up the seek, if there is one.
-- KEYS    as waiting.lua has them
-- ARGV    1 player
-- return  {hall, down}

leave(ARGV[1], 'x')
return {hall, down}
