// TV: shows the hall's featured game, and moves on to the next when it is over.

import { fill, h } from "./dom.js";
import { Table } from "./table.js";

const LINGER_MS = 6000;

export class Tv {
  element = h("div", { class: "tv" });
  #hall;
  #table = null;
  #wanted = null;
  #timer = 0;
  #onWelcome = () => this.#ask();
  #onPush = ({ detail }) => detail.type === "lobby" && this.#heard(detail);

  constructor(hall) {
    this.#hall = hall;
    hall.connection.addEventListener("welcome", this.#onWelcome);
    hall.connection.addEventListener("push", this.#onPush);
    hall.title("TV");
    this.#empty();
    if (hall.connection.state === "open") this.#ask();
  }

  close() {
    clearTimeout(this.#timer);
    this.#hall.connection.removeEventListener("welcome", this.#onWelcome);
    this.#hall.connection.removeEventListener("push", this.#onPush);
    this.#hall.connection.ask("lobby", { on: false }).catch(() => {});
    this.#table?.close();
  }

  async #ask() {
    try {
      this.#heard(await this.#hall.connection.ask("lobby", { on: true }, { once: true }));
    } catch (error) {
      if (error.code !== "lost") this.#empty(error.message);
    }
  }

  #heard({ featured, live }) {
    const on = live.some(({ room }) => room === this.#table?.room?.room);
    this.#wanted = featured ?? live[0]?.room ?? null;
    if (!this.#table) this.#next();
    // A game that goes on is not taken from those who watch it, even when another one is featured.
    else if (!on) this.#soon();
  }

  #soon() {
    this.#timer ||= setTimeout(() => this.#next(), LINGER_MS);
  }

  #next() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const now = this.#table?.room;
    if (now && (this.#wanted === null || this.#wanted === now.room)) return;
    this.#table?.close();
    this.#table = null;
    if (this.#wanted === null) {
      this.#empty();
      return;
    }
    this.#table = new Table(this.#hall, this.#wanted, { watch: true, onOver: () => this.#soon() });
    fill(this.element, this.#table.element);
  }

  #empty(sentence = "The next game that anybody may watch shows here by itself.") {
    fill(this.element, h("div", { class: "card lonely" }, h("h1", {}, "No game is on"), h("p", {}, sentence)));
  }
}
