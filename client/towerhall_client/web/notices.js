// Games that began while this player is at another one: said until they go there, or it is over.

import { h, match } from "./dom.js";
import { nameOf } from "./words.js";

export class Notices {
  #rooms = new Map();
  element = h("div", { class: "notices" });

  /** Returns the sentence. */
  add(room) {
    const sentence = `Your game of ${room.title} against ${nameOf(room, 1 - room.you)} has begun.`;
    this.#rooms.set(room.room, { room, sentence });
    this.#draw();
    return sentence;
  }

  /** Keeps those that the test says yes to. */
  keep(test) {
    for (const [id, { room }] of this.#rooms) if (!test(room)) this.#rooms.delete(id);
    this.#draw();
  }

  #draw() {
    match(this.element, [...this.#rooms.values()], ({ room }) => room.room, ({ room, sentence }) =>
      h("div", { class: "card notice" }, h("p", {}, sentence), h("a", { class: "button main", href: `/r/${room.code}` }, "Go there")),
    );
  }
}
