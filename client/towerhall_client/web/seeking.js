// Looking for an opponent: from the wish to the pairing, whatever the page shows meanwhile.

import { lasted } from "./clock.js";
import { h, write } from "./dom.js";
import { freshKey } from "./memory.js";
import { terms } from "./words.js";

export class Seeking {
  /** What was asked for, with its key: asked again when the hall has forgotten it. */
  #wish = null;
  #hall;
  #what = h("b", {});
  #since = h("span", { class: "figure" });
  #refusal = h("p", { class: "refusal", role: "alert" });
  #panel;
  element;

  constructor(hall) {
    this.#hall = hall;
    const cancel = h("button", { type: "button", onclick: () => this.#cancel() }, "Stop looking");
    this.#panel = h("div", { class: "card notice seeking", hidden: true }, h("p", { role: "status" }, this.#what), this.#since, cancel);
    this.element = h("div", {}, this.#panel, this.#refusal);
    setInterval(() => this.#tick(), 1000);
  }

  async seek(fields) {
    await this.#ask({ ...fields, key: freshKey() });
    this.element.scrollIntoView({ block: "nearest" });
  }

  /**
   * The line is back. A search ends when the line is gone for more than a few seconds: then it
   * begins anew, unless it led to a game.
   */
  welcomed(seeking, found) {
    if (found) this.done();
    else if (seeking) this.#goOn(seeking);
    else if (this.#wish) this.#ask(this.#wish);
  }

  get active() {
    return this.#wish !== null;
  }

  /** It led to a game. */
  done() {
    this.#wish = null;
    this.#show(null);
  }

  /** With a search that this page, or one before it, has begun. */
  #goOn(seeking) {
    const { game, preset, options, clock, rounds, rated } = seeking;
    this.#wish ??= { game, preset, options, clock, rounds, rated, key: freshKey() };
    this.#show(seeking);
  }

  async #ask(wish) {
    this.#wish = wish;
    write(this.#refusal, "");
    try {
      const { seek } = await this.#hall.connection.ask("seek", wish);
      // The pairing may have come before the answer.
      if (this.#wish === wish) this.#show(seek);
    } catch (error) {
      if (this.#wish !== wish) return;
      this.done();
      write(this.#refusal, error.message);
    }
  }

  #show(seek) {
    this.#hall.seeking = seek;
    this.#panel.hidden = !seek;
    const title = seek && (this.#hall.game(seek.game)?.title ?? seek.game);
    write(this.#what, seek ? `Looking for somebody to play ${title}: ${terms(seek)}` : "");
    this.#tick();
  }

  async #cancel() {
    this.done();
    await this.#hall.connection.ask("unseek").catch(() => {});
  }

  #tick() {
    const { seeking, connection } = this.#hall;
    if (seeking) write(this.#since, lasted(Math.max(0, connection.clock.now() - seeking.since_ms)));
  }
}
