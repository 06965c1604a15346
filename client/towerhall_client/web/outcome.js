// How a room stands, in a sentence. Pure.

import { named, nameOf } from "./words.js";

/** How the last game ended, and the match with it. */
export function outcome(room) {
  const match = room.status !== "over" || room.rounds === 1 ? "" : ` ${matchOutcome(room)}`;
  return named(room.result.text, room.seats) + match;
}

/** An event for a screen reader. */
export const sentence = (event, room) => (event.kind === "finished" ? outcome(room) : named(event.text, room.seats));

/** For the tab: whose turn it is. */
export function title(room) {
  if (room.status === "open") return `Waiting · ${room.title}`;
  if (room.turn === null) return `Over · ${room.title}`;
  return room.turn === room.you ? `● Your turn · ${room.title}` : `${nameOf(room, room.turn)} to move · ${room.title}`;
}

export function waitingFor(room) {
  if (room.status === "open") return room.you === null ? "Waiting for a second player." : "Waiting for somebody to join.";
  return room.turn === null ? "" : `${nameOf(room, room.turn)} is to move.`;
}

function matchOutcome(room) {
  const score = `${Math.max(...room.score)} to ${Math.min(...room.score)}`;
  if (room.match_winner !== null) return `${nameOf(room, room.match_winner)} wins the match, ${score}.`;
  return room.score[0] ? `The match is drawn, ${score}.` : "";
}
