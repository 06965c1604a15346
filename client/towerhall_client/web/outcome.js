// How a room stands, in a sentence. Pure.

import { named, nameOf } from "./words.js";

/** How the last game ended, and the match with it. */
export function outcome(room) {
  const match = room.status !== "over" || room.rounds === 1 ? "" : ` ${matchOutcome(room)}`;
  return named(room.result.text, room.seats) + match;
}

/** An event for a screen reader, or "" where there is nothing to say. */
export function sentence(event, room) {
  if (event.kind === "moved") return named(event.text, room.seats);
  if (event.kind === "finished") return outcome(room);
  if (event.kind === "started") return `Game ${event.round} begins.${event.first === room.you ? "" : ` ${nameOf(room, event.first)} is to move.`}`;
  if (event.kind === "rematch" && event.seat !== room.you) return `${nameOf(room, event.seat)} asks for a rematch.`;
  return "";
}

/** For the tab: whose turn it is. */
export function title(room) {
  if (room.status === "open") return `Waiting · ${room.title}`;
  if (room.turn === null) return `${room.status === "over" ? "Over" : "Next game soon"} · ${room.title}`;
  return room.turn === room.you ? `● Your turn · ${room.title}` : `${nameOf(room, room.turn)} to move · ${room.title}`;
}

export function waitingFor(room) {
  if (room.status === "open") return room.you === null ? "" : "Waiting for somebody to join.";
  if (room.turn === null) return "";
  return `${room.you === null ? "You are watching. " : ""}${nameOf(room, room.turn)} is to move.`;
}

function matchOutcome(room) {
  const score = `${Math.max(...room.score)} to ${Math.min(...room.score)}`;
  if (room.match_winner !== null) return `${nameOf(room, room.match_winner)} wins the match, ${score}.`;
  return room.score[0] ? `The match is drawn, ${score}.` : "";
}
