// What one can do at a table besides moving.

import { away } from "./clock.js";
import { confirm } from "./dialog.js";
import { h, write } from "./dom.js";
import { claimWait, isRunning, mayAbort } from "./room.js";
import { nameOf } from "./words.js";

export class Actions {
  #room = null;
  #ask;
  #refusal = h("p", { class: "refusal", role: "alert" });
  /** Calls the question back that is asked about the game that is on. */
  #question = new AbortController();
  #abort = this.#button("Abort", () => this.#do("abort"));
  #resign = this.#button("Resign", async () => {
    const { room, round } = this.#room;
    const sure = await confirm("Resign this game? Your opponent wins it.", "Yes, resign", this.#question.signal);
    if (sure) this.#do("resign", { room, round });
  });
  #claim = this.#button("Claim the win", () => this.#do("claim"));
  #rematch = this.#button("Rematch", () => this.#do("rematch"), "main");
  #record = this.#button("Download the record", () => this.#download());
  #download;
  element = h(
    "section",
    { class: "actions", "aria-label": "Game" },
    h("div", { class: "buttons" }, this.#rematch, this.#claim, this.#abort, this.#resign, this.#record),
    this.#refusal,
  );

  /** @param ask sends a request about the room; @param download saves the game that is shown */
  constructor(ask, download) {
    this.#ask = ask;
    this.#download = () => download().catch((error) => write(this.#refusal, error.message));
  }

  close() {
    this.#question.abort();
    this.#question = new AbortController();
  }

  draw(room) {
    if (this.#room && (this.#room.round !== room.round || !isRunning(room))) this.close();
    if (this.#room && (this.#room.round !== room.round || this.#room.status !== room.status)) write(this.#refusal, "");
    this.#room = room;
    const seated = room.you !== null;
    const both = room.seats.every(Boolean);
    this.#abort.hidden = !mayAbort(room);
    write(this.#abort, room.status === "open" ? "Close the room" : "Abort");
    this.#resign.hidden = !(seated && isRunning(room)) || mayAbort(room);
    this.#record.hidden = !both || room.ply === 0 || isRunning(room);
    this.#rematch.hidden = !(seated && both && room.status === "over" && !room.closed);
    if (seated) {
      this.#rematch.disabled = room.rematch[room.you];
      const asked = room.rematch[room.you] ? `Waiting for ${nameOf(room, 1 - room.you)}…` : "Rematch";
      write(this.#rematch, room.rematch[1 - room.you] ? "Accept the rematch" : asked);
    }
  }

  /** What changes with time alone. */
  tick(now) {
    const wait = this.#room ? claimWait(this.#room, now) : null;
    this.#claim.hidden = wait === null;
    this.#claim.disabled = wait !== 0;
    write(this.#claim, wait ? `Claim the win in ${away(wait)}` : "Claim the win");
  }

  async #do(type, { room, round } = this.#room) {
    write(this.#refusal, "");
    try {
      await this.#ask(type, { room, round });
    } catch (error) {
      write(this.#refusal, error.message);
    }
  }

  #button(text, onclick, kind = "") {
    return h("button", { type: "button", class: kind, hidden: true, onclick }, text);
  }
}
