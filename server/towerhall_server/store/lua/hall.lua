-- The hall's time. This stands at the head of every script that needs it; see scripts.py.
-- KEYS[1]  the shard's pulse, a hash: last (the store's ms at the last sign of life), down
-- sets     raw, last, down, awake, hall
--
-- Hall time is the store's time less the shard's downtime. After 2 s without a sign of life, or
-- when the store's clock was set back, the hall is asleep: its time stands still at that sign.

local clock = redis.call('TIME')
local raw = clock[1] * 1000 + math.floor(clock[2] / 1000)
local pulse = redis.call('HMGET', KEYS[1], 'last', 'down')
local last = tonumber(pulse[1] or nil)
local down = tonumber(pulse[2] or 0)
local awake = last and raw >= last and raw - last <= 2000
local hall = (awake and raw or last or raw) - down
