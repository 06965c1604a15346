// A player's strip: who it is, how they stand, what they have, and their clock.

import { drawSupplies } from "./board.js";
import { away, remaining, shown } from "./clock.js";
import { h, write } from "./dom.js";
import { nameOf, shownRating } from "./words.js";

const HURRY_MS = 20_000;

export class PlayerStrip {
  #name = h("span", { class: "name" });
  #rating = h("span", { class: "rating" });
  #state = h("span", { class: "presence" });
  #score = h("span", { class: "score" });
  #clock = h("span", { class: "clock", role: "timer" });
  #supplies = h("div", { class: "supplies" });
  #seat = null;
  element = h(
    "section",
    { class: "player" },
    h("div", { class: "who" }, this.#name, this.#rating, this.#state, this.#supplies),
    h("div", { class: "standing" }, this.#score, this.#clock),
  );

  draw(room, seat, view, clocks) {
    this.#seat = seat;
    const held = room.seats[seat];
    this.element.dataset.seat = seat;
    this.element.classList.toggle("to-move", room.turn === seat);
    this.element.classList.toggle("won", room.status === "over" && room.match_winner === seat);
    this.element.setAttribute("aria-label", held ? `Player ${seat + 1}, ${held.name}` : `Player ${seat + 1}`);
    write(this.#name, held ? nameOf(room, seat) + (room.you === seat ? " (you)" : "") : "an empty seat");
    const change = room.change?.[seat];
    const changed = change === undefined ? "" : ` (${change < 0 ? "−" : "+"}${Math.abs(change)})`;
    write(this.#rating, held ? shownRating(held.rating) + changed : "");
    write(this.#score, room.rounds > 1 || room.score[0] + room.score[1] > 1 ? String(room.score[seat]) : "");
    this.#score.title = "games won in this match";
    drawSupplies(this.#supplies, view.supplies.filter((one) => one.owner === seat), room.seats);
    this.clocks = clocks;
    this.held = held;
    this.over = room.status === "over";
  }

  /** What changes with time alone. */
  tick(now) {
    const { held, clocks } = this;
    const gone = held && !held.online && !this.over;
    const since = gone && held.away_since_ms !== null ? ` for ${away(now - held.away_since_ms)}` : "";
    write(this.#state, gone ? `away${since}` : "");
    this.#clock.hidden = !clocks;
    if (!clocks) return;
    const left = remaining(clocks, this.#seat, now);
    write(this.#clock, shown(left));
    this.#clock.classList.toggle("running", clocks.running === this.#seat);
    this.#clock.classList.toggle("hurry", clocks.running === this.#seat && left < HURRY_MS);
  }
}
