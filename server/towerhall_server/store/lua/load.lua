-- A room as it is: its state as it was stored last, and the events since then.
-- KEYS    1 room  2 log
-- return  {seq, state, event...}, or nothing where there is no such room

local room, log = KEYS[1], KEYS[2]

local known = redis.call('HMGET', room, 'seq', 'state', 'stored')
local seq, state, stored = known[1], known[2], known[3]
if not seq then return false end

local found = {tonumber(seq), state}
-- Without a number it was stored by a version that stored it every time.
if stored and stored ~= seq then
  for _, entry in ipairs(redis.call('XRANGE', log, string.format('%d-0', stored + 1), '+')) do
    found[#found + 1] = entry[2][2]
  end
end
return found
