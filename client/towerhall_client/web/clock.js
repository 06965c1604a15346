// Time. Pure, but for HallClock, which follows the hall's time by what the hall says of it.

/** Hall time, told by the hall now and then and by this machine's steady clock in between. */
export class HallClock {
  #ahead = 0;

  set(nowMs, steady = performance.now()) {
    this.#ahead = nowMs - steady;
  }

  now(steady = performance.now()) {
    return Math.round(this.#ahead + steady);
  }
}

/** What is left to a seat at a moment of hall time. */
export function remaining(clocks, seat, now) {
  const left = clocks.remaining_ms[seat];
  return clocks.running === seat ? Math.max(0, left - Math.max(0, now - clocks.at_ms)) : left;
}

/** The clocks as they stood at that moment, for good. */
export function stopped(clocks, now) {
  return clocks && { remaining_ms: [0, 1].map((seat) => remaining(clocks, seat, now)), running: null, at_ms: now };
}

/** What a clock shows: 2:51, 1:02:03, and below ten seconds 9.4. */
export const shown = (ms) => (ms < 10_000 ? (Math.floor(ms / 100) / 10).toFixed(1) : lasted(ms));

/** 0:07, 2:51, 1:02:03. */
export function lasted(ms) {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** How long from now, in words short enough for a button: 45 s, 12 min, 23 h. */
export function away(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
