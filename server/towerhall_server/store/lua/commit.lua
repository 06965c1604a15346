-- One change of a room: checked, written, logged, timed and told, or not at all.
-- KEYS    1 pulse  2 room  3 log  4 records  5 deadlines  6 live  7 once  8 code
-- ARGV    1 room id  2 channel  3 seq decided on (0: no room)  4 now and 5 down as assumed
--         6 state  7 payload  8 deadline in hall ms, or ''  9 live: 1 or 0
--         10 round, or '', and 11 its record  12 once: 1 or ''  13 code: 1 or ''
--         14 keep: '' as it is, 0 for ever, else ms to live  15... events, at least one
-- return  {'ok' or 'repeated', hall, down, seq of the commit's first event}
--         {'time', hall, down, awake: 1 or 0}  {'stale', hall, down, seq}  {'code', hall, down, 0}

local room_key, log, records, deadlines, live, once, code =
  KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local room, channel, version, now = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local state, payload, deadline, is_live = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local round, record, keep = ARGV[10], ARGV[11], ARGV[14]
local has_once, has_code = ARGV[12] ~= '', ARGV[13] ~= ''

local EARLY = 1000
local LATE = 2500  -- where the disk is slow, so are the reply that told the time and this command

local done = has_once and redis.call('GET', once)
if done then return {'repeated', hall, down, tonumber(done)} end
if not awake or down ~= tonumber(ARGV[5]) or now > hall + EARLY or now < hall - LATE then
  return {'time', hall, down, awake and 1 or 0}
end
local known = redis.call('HMGET', room_key, 'seq', 'live')
local current = tonumber(known[1] or 0)
if current ~= version then return {'stale', hall, down, current} end
local holder = has_code and redis.call('GET', code)
if holder and holder ~= room then return {'code', hall, down, 0} end

for i = 15, #ARGV do
  local id = string.format('%d-0', version + i - 14)
  redis.call('XADD', log, 'MAXLEN', '~', 1000, id, 'e', ARGV[i])
end
redis.call('HSET', room_key, 'seq', version + #ARGV - 14, 'state', state)
if has_code and not holder then
  redis.call('HSET', room_key, 'code', code)
  redis.call('SET', code, room)
end
if deadline ~= '' then
  redis.call('ZADD', deadlines, deadline, room)
else
  redis.call('ZREM', deadlines, room)
end
if round ~= '' then redis.call('HSET', records, round, record) end
if is_live ~= known[2] then
  redis.call('HSET', room_key, 'live', is_live)
  if is_live == '1' then redis.call('ZADD', live, hall, room) else redis.call('ZREM', live, room) end
end
-- A sign of life as good as a pulse: after an outage the hall goes on from here, not from before.
redis.call('HSET', KEYS[1], 'last', raw)
if has_once then redis.call('SET', once, version + 1, 'PX', 600000) end
if keep ~= '' then
  local kept = {room_key, log, records, redis.call('HGET', room_key, 'code') or nil}
  for _, key in ipairs(kept) do
    if keep == '0' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, keep) end
  end
end
redis.call('PUBLISH', channel, payload)
return {'ok', hall, down, version + 1}
