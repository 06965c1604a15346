// Who is best at a game.

import { fill, h } from "./dom.js";
import { count, shownRating } from "./words.js";

export class Leaders {
  #hall;
  #choice;
  #list = h("ol", { class: "leaders" });
  #note = h("p", { class: "empty" });
  element;

  constructor(hall) {
    this.#hall = hall;
    this.#choice = h("select", { "aria-label": "Game", onchange: () => this.load() }, hall.games.map(({ id, title }) => h("option", { value: id }, title)));
    this.element = h("section", { class: "card", hidden: true }, h("div", { class: "card-head" }, h("h2", {}, "Leaders"), this.#choice), this.#list, this.#note);
  }

  async load() {
    const game = this.#choice.value;
    try {
      const { best, own, players } = await this.#hall.connection.ask("leaders", { game }, { once: true });
      if (game !== this.#choice.value) return;
      const shown = best.slice(0, 10);
      fill(this.#list, shown.map((one) => entry(one, own)), own && !shown.some(({ player }) => player === own.player) && entry(own, own));
      fill(this.#note, players ? `${count(players, "player")} ranked.` : "Nobody is ranked yet: play a rated match.");
      this.element.hidden = false;
    } catch {
      // A hall without leaders has no list of them.
    }
  }
}

function entry({ rank, player, name, rating }, own) {
  return h("li", { class: player === own?.player && "own" }, h("span", { class: "rank" }, rank), h("span", {}, name), h("span", { class: "figure" }, shownRating(rating)));
}
