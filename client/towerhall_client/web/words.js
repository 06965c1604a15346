// Sentences and short forms for people. Pure.

/** K7Q2MX as people see it: K7Q-2MX. */
export const shownCode = (code) => `${code.slice(0, 3)}-${code.slice(3)}`;

/** The six characters of a code however it was typed, or null. */
export function readCode(text) {
  const code = text.trim().toUpperCase().replace("-", "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{6}$/.test(code) ? code : null;
}

/** 3+2 for three minutes and two seconds a move; "no clock" for none. */
export function shownClock(clock) {
  if (!clock) return "no clock";
  const minutes = clock.initial_ms / 60_000;
  const initial = Number.isInteger(minutes) ? String(minutes) : `${clock.initial_ms / 1000} s`;
  return `${initial}+${clock.increment_ms / 1000}`;
}

/** "classic · 3+2 · 2 games · rated" of a room, a seek or a live game. */
export function terms({ preset, clock, rounds, rated }) {
  const games = rounds === 1 ? "1 game" : `${rounds} games`;
  return [preset, shownClock(clock), games, rated && "rated"].filter(Boolean).join(" · ");
}

/** The server speaks of Player 1 and Player 2; people know each other by name. */
export function named(text, seats) {
  return text.replace(/Player ([12])\b/g, (_, number) => nameAt(seats, number - 1));
}

/** Two who have the same name are told apart by their seats. */
function nameAt(seats, seat) {
  const name = seats[seat]?.name ?? `Player ${seat + 1}`;
  return seats[0]?.name === seats[1]?.name && seats[0] ? `${name} (${seat + 1})` : name;
}

export const shownRating = (rating) => (rating ? `${rating.value}${rating.provisional ? "?" : ""}` : "");

export const nameOf = (room, seat) => nameAt(room.seats, seat);

/** An option's name as a label: one_may_open → One may open. */
export const label = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/** What an option is for, as a label: whether it rains → It rains. */
export function optionLabel(help) {
  return label(help.replace(/^whether /, ""));
}

export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
