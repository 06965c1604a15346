// The moves so far, and the way back through them while the game goes on.

import { h, match, write } from "./dom.js";
import { nameOf } from "./words.js";

export class Sheet {
  #list = h("ol", { class: "sheet", "aria-label": "Moves" });
  #text = h("p", { class: "step-text" });
  #buttons;
  #go;
  #length = 0;
  #at = 0;
  element;

  /** @param go called with the step to show: 0 before the first move, null for the latest */
  constructor(go) {
    this.#go = go;
    const button = (text, label, step) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: () => this.#step(step()) }, text);
    this.#buttons = [
      button("«", "First move", () => 0),
      button("‹", "One move back", () => this.#at - 1),
      button("›", "One move on", () => this.#at + 1),
      button("»", "Latest move", () => this.#length),
    ];
    this.element = h(
      "section",
      { class: "card moves-card" },
      h("h2", {}, "Moves"),
      this.#list,
      h("div", { class: "stepper" }, this.#buttons),
      this.#text,
    );
  }

  draw({ room, moves, at, text, following }) {
    const scroll = this.#length !== moves.length || this.#at !== at;
    [this.#length, this.#at] = [moves.length, at];
    match(
      this.#list,
      moves,
      ({ ply, seat, move }) => `${ply}:${seat}:${move}`,
      (made) => this.#entry(room, made),
      (node, made) => node.firstChild.setAttribute("aria-current", made.ply + 1 === at),
    );
    const [first, back, on, last] = this.#buttons;
    first.disabled = back.disabled = at === 0;
    on.disabled = at === moves.length;
    last.disabled = at === moves.length && following;
    write(this.#text, text);
    const current = this.#list.children[at - 1];
    if (scroll && current) this.#list.scrollTop = current.offsetTop - this.#list.clientHeight / 2;
  }

  #entry(room, { ply, seat, move, forced }) {
    const label = `Move ${ply + 1}, ${nameOf(room, seat)}: ${forced ? "passes" : move}`;
    const go = () => this.#step(ply + 1);
    return h("li", { "data-seat": seat }, h("button", { type: "button", "aria-label": label, onclick: go }, move));
  }

  #step(step) {
    this.#go(step >= this.#length ? null : Math.max(0, step));
  }
}
