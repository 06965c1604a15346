-- One change of a room: checked, written, logged, timed and told, or not at all. A record of a room
-- that is no longer live ends a match: it is due to be settled, from now on, until that is done.
-- KEYS    1 pulse  2 room  3 log  4 records  5 deadlines  6 live  7 once  8 code
-- ARGV    1 room id  2 channel
--         3 'seq now down deadline live events': the seq decided on (0: no room), now and down as
--           assumed, the deadline in hall ms or -, live (0 no, 1 yes, 2 and 3 yes, and shown in
--           the lobby: as waiting, as being played), how many events (at least one)
--         4 state, or '' where it stays as it was stored last and the events tell the rest
--         5 the line that is published before the events  6... the events
--         then names and values of what else is done: round and record, once 1, code 1,
--         keep (0 for ever, else ms to live; without it, as it is)
-- return  {'ok' or 'repeated', hall, down, seq of the commit's first event}
--         {'time', hall, down, awake: 1 or 0}  {'stale', hall, down, seq}  {'code', hall, down, 0}

local room_key, log, records, deadlines, live, once, code =
  KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local room, channel, state, line = ARGV[1], ARGV[2], ARGV[4], ARGV[5]
local version, now, assumed_down, deadline, is_live, events =
  string.match(ARGV[3], '^(%d+) (%d+) (%d+) (%S+) (%d) (%d+)$')
version, now, events = tonumber(version), tonumber(now), tonumber(events)
local first, more = 6, {}
for i = first + events, #ARGV, 2 do more[ARGV[i]] = ARGV[i + 1] end

local EARLY = 1000
local LATE = 2500  -- where the disk is slow, so are the reply that told the time and this command

local done = more.once and redis.call('GET', once)
if done then return {'repeated', hall, down, tonumber(done)} end
if not awake or down ~= tonumber(assumed_down) or now > hall + EARLY or now < hall - LATE then
  return {'time', hall, down, awake and 1 or 0}
end
local known = redis.call('HMGET', room_key, 'seq', 'live', 'stored')
local current = tonumber(known[1] or 0)
if current ~= version then return {'stale', hall, down, current} end
local holder = more.code and redis.call('GET', code)
if holder and holder ~= room then return {'code', hall, down, 0} end

for i = 1, events do
  local id = string.format('%d-0', version + i)
  redis.call('XADD', log, 'MAXLEN', '~', 1000, id, 'e', ARGV[first + i - 1])
end
if state ~= '' then
  redis.call('HSET', room_key, 'seq', version + events, 'state', state, 'stored', version + events)
else
  redis.call('HSET', room_key, 'seq', version + events)
  if not known[3] then redis.call('HSET', room_key, 'stored', version) end
end
if more.code and not holder then
  redis.call('HSET', room_key, 'code', code)
  redis.call('SET', code, room)
end
local timed = deadline ~= '-'
if timed then redis.call('ZADD', deadlines, deadline, room) else redis.call('ZREM', deadlines, room) end
if more.round then
  redis.call('HSET', records, more.round, more.record)
  if is_live == '0' then redis.call('ZADD', deadlines, 0, room .. '/' .. more.round) end
end
if is_live ~= known[2] then
  redis.call('HSET', room_key, 'live', is_live)
  local shown = {['2'] = live .. ':open', ['3'] = live .. ':games'}
  if is_live == '0' then redis.call('ZREM', live, room) else redis.call('ZADD', live, hall, room) end
  if shown[known[2]] then redis.call('ZREM', shown[known[2]], room) end
  -- By the store's own clock: it is the same in all shards, whose lists are put together.
  if shown[is_live] then redis.call('ZADD', shown[is_live], raw, room) end
  if known[2] == '3' then redis.call('ZREM', live .. ':watched', room) end
end
-- A sign of life as good as a pulse: after an outage the hall goes on from here, not from before.
redis.call('HSET', KEYS[1], 'last', raw)
if more.once then redis.call('SET', once, version + 1, 'PX', 600000) end
if more.keep then
  local kept = {room_key, log, records, redis.call('HGET', room_key, 'code') or nil}
  for _, key in ipairs(kept) do
    if more.keep == '0' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, more.keep) end
  end
end
redis.call('PUBLISH', channel, line .. table.concat(ARGV, '', first, first + events - 1))
return {'ok', hall, down, version + 1}
