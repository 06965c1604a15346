// A room as this page knows it: a snapshot, and every event after it. Pure: values in, values out.
//
// Besides what the wire's snapshot has, a room here has `frames`, the table after each move of the
// round as far as it was seen, with the table before the first one in frames[0]; and `chat`.

import { stopped } from "./clock.js";

/** The room of a snapshot. What was said before is kept: a snapshot does not repeat it. */
export function fromSnapshot(snapshot, before = null) {
  const frames = [];
  frames[snapshot.ply] = frame(snapshot.moves.at(-1), "", snapshot.view, snapshot.clocks);
  return {
    ...snapshot,
    frames: before?.round === snapshot.round ? merged(before.frames, frames) : frames,
    chat: before?.chat ?? [],
    next_ms: null,
    change: null,
    closed: before?.closed ?? (snapshot.status === "over" && !snapshot.result ? "closed" : null),
  };
}

const MOST_SAID = 200;
const line = ({ seat, name, text, seq }) => ({ seat, name, text, seq });

const steps = {
  seated: (room, { seat, player, name, rating }) => ({
    seats: put(room.seats, seat, { player, name, rating: rating ?? null, online: true, away_since_ms: null }),
  }),
  started: (room, { match, round, first, view, legal, turn, clocks }) => ({
    ...(match === room.match ? {} : { score: [0, 0], match_winner: null }),
    ...{ match, round, first, view, legal, turn, clocks },
    status: "live",
    ply: 0,
    moves: [],
    frames: [frame(undefined, "", view, clocks)],
    rematch: [false, false],
    next_ms: null,
    change: null,
  }),
  moved: (room, { ply, seat, move, forced, text, view, legal, turn, clocks }) => ({
    ...{ view, legal, turn, clocks },
    ply: ply + 1,
    moves: put(room.moves, ply, { ply, seat, move, forced }),
    frames: put(room.frames, ply + 1, frame({ ply, seat, move, forced }, text, view, clocks)),
  }),
  finished: (room, { winner, reason, text, score, match_over, match_winner, next_ms, at_ms }) => ({
    ...{ score, match_winner, next_ms },
    status: match_over ? "over" : room.status,
    result: { winner, reason, text },
    turn: null,
    legal: null,
    clocks: stopped(room.clocks, at_ms),
  }),
  rematch: (room, { seat }) => ({ rematch: put(room.rematch, seat, true) }),
  said: (room, event) => ({ chat: [...room.chat, line(event)].slice(-MOST_SAID) }),
  rated: (room, { before, after }) => ({
    change: after.map((rating, seat) => rating.value - before[seat].value),
    seats: room.seats.map((held, seat) => held && { ...held, rating: after[seat] }),
  }),
  closed: (room, { reason }) => ({ status: "over", turn: null, legal: null, closed: reason }),
};

/** The room after an event. One of an unknown kind counts in the numbering and changes nothing. */
export function afterEvent(room, event) {
  return { ...room, ...steps[event.kind]?.(room, event), seq: event.seq };
}

/** Whether the event is the next one, was seen already, or comes after some that were missed. */
export function standing(room, event) {
  if (event.epoch !== room.epoch || event.seq > room.seq + 1) return "gap";
  return event.seq === room.seq + 1 ? "next" : "old";
}

export function withPresence(room, { seats, watchers }) {
  const here = room.seats.map((held, seat) => held && { ...held, ...seats[seat] });
  return { ...room, seats: here, watchers };
}

/** With the tables of a whole record, where it is one of this round. */
export function withRecord(room, record) {
  if (record.round !== room.round) return room;
  return { ...room, frames: merged(framesOf(record), room.frames) };
}

/** With what was said in events that were before this room's snapshot. */
export function withTalk(room, events) {
  const known = new Set(room.chat.map(({ seq }) => seq));
  const earlier = events.filter(({ kind, seq }) => kind === "said" && seq <= room.seq && !known.has(seq)).map(line);
  return { ...room, chat: [...earlier, ...room.chat].sort((one, other) => one.seq - other.seq).slice(-MOST_SAID) };
}

export function framesOf(record) {
  return record.frames.map((one) => ({
    ...{ seat: one.seat, move: one.move, forced: one.forced, text: one.text },
    ...{ view: one.view, clocks: one.clocks },
  }));
}

/** Whether every table of the round so far is known, so that one can step through all of them. */
export const isWhole = (room) => room.frames.length === room.ply + 1 && !Array.from(room.frames).includes(undefined);

export const isRunning = (room) => room.turn !== null;

/** Whether anything at the table changes with time alone: a clock, an absence, the wait for a game. */
export function hasTime(room) {
  const gone = room.status !== "over" && room.seats.some((held) => held && !held.online);
  return gone || (isRunning(room) ? room.clocks !== null : room.next_ms !== null);
}

/** A match can be called off in its first game until both have moved. */
export function mayAbort(room) {
  if (room.you === null) return false;
  if (room.status === "open") return room.you === 0;
  const moved = new Set(room.moves.filter((made) => !made.forced).map((made) => made.seat));
  return isRunning(room) && room.score[0] + room.score[1] === 0 && moved.size < 2;
}

const AWAY_MS = { timed: 60_000, untimed: 24 * 3_600_000 };

/** Milliseconds until the win of an absent opponent can be claimed; null while they are here. */
export function claimWait(room, now) {
  const opponent = room.you === null ? null : room.seats[1 - room.you];
  if (!isRunning(room) || !opponent || opponent.online || opponent.away_since_ms === null) return null;
  const due = opponent.away_since_ms + (room.clock ? AWAY_MS.timed : AWAY_MS.untimed);
  return Math.max(0, due - now);
}

/**
 * Who put each item of each stack there, and with which move, found by comparing one table with
 * the next: [[{seat, step}]], like stacks and items. Null where that was not seen.
 */
export function provenance(frames, step) {
  let marks = [];
  let known = null;
  for (let at = 0; at <= step; at += 1) {
    const one = frames[at];
    if (!one) {
      [marks, known] = [[], null];
      continue;
    }
    marks = one.view.stacks.map(({ items }, stack) => {
      const earlier = known?.stacks[stack]?.items ?? null;
      let same = 0;
      while (earlier && same < items.length && earlier[same] === items[same]) same += 1;
      const fresh = known ? { seat: one.seat, step: at } : null;
      return items.map((_, index) => (index < same ? marks[stack]?.[index] ?? null : fresh));
    });
    known = one.view;
  }
  return marks;
}

function frame(made, text, view, clocks) {
  return { seat: made?.seat ?? null, move: made?.move ?? null, forced: made?.forced ?? false, text, view, clocks };
}

function merged(under, over) {
  const frames = [...under];
  over.forEach((one, at) => {
    // A snapshot's frame has no sentence; the one that an event or a record brought is better.
    if (one && !(frames[at] && !one.text)) frames[at] = one;
  });
  return frames;
}

function put(list, index, value) {
  const copy = [...list];
  copy[index] = value;
  return copy;
}
