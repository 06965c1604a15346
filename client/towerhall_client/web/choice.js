// How a player chooses a move: large buttons where the legal moves are listed, a field where not.
// Typing selects among the buttons, wherever the focus is; Enter plays the selected one.

import { fill, h, write } from "./dom.js";
import { isRunning } from "./room.js";

const TYPED_FOR_MS = 3000;
/** So many letters fit into a fifth of a small screen; so many buttons stand one above the other. */
const SHORT = 3;
const FEW = 3;
/** So much of its place is kept while the other player thinks. */
const MOST_KEPT_PX = 240;

export class Choice {
  #prompt = h("p", { class: "prompt", id: "prompt" });
  #moves = h("div", { class: "moves", tabindex: "-1", role: "group", "aria-labelledby": "prompt" });
  #refusal = h("p", { class: "refusal", role: "alert" });
  #play;
  #drawn = "";
  #typed = "";
  #typedAt = 0;
  #field = null;
  #hidden = false;
  #keeps = false;
  element = h("section", { class: "choice", "aria-label": "Your move" }, this.#prompt, this.#moves, this.#refusal);

  /** @param play called with the move's text */
  constructor(play) {
    this.#play = play;
  }

  /**
   * `live`: whether the latest table is looked at; what was typed waits while it is not.
   * `pending`: the move that is on its way, if any.
   */
  draw({ room, live, pending, waiting }) {
    const mine = isRunning(room) && room.turn === room.you;
    this.#keepPlace(isRunning(room) && room.you !== null && !(mine && live), live);
    write(this.#prompt, mine && live ? room.view.prompt : waiting);
    const wanted = mine ? JSON.stringify([room.round, room.ply, room.legal]) : "";
    const focused = this.#moves.contains(document.activeElement);
    if (wanted !== this.#drawn) {
      this.#drawn = wanted;
      this.#typed = "";
      this.#field = null;
      fill(this.#moves, mine && (room.legal ? this.#buttons(room.legal, room.view.stacks) : this.#form(room)));
      if (mine) this.refuse("");
    }
    this.#hidden = !live;
    if (mine) this.#moves.firstChild.hidden = this.#hidden;
    // What had the focus is gone; the next Tab should not start from the top.
    if (focused && !this.#moves.contains(document.activeElement)) this.#focus();
    // A field that is disabled loses the focus, and a phone its keyboard.
    if (this.#field) this.#field.readOnly = pending !== null;
    for (const control of this.#moves.querySelectorAll("button")) {
      control.disabled = pending !== null;
      control.classList.toggle("pending", pending !== null && control.dataset.move === pending);
    }
  }

  refuse(sentence) {
    write(this.#refusal, sentence);
    if (!sentence) return;
    // From a button that was disabled meanwhile; who is in the chat by now stays there.
    if (document.activeElement === document.body || this.#moves.contains(document.activeElement)) this.#focus();
    this.#field?.select();
  }

  /** What is below stays where it is, under whoever is about to press it, while nothing can be chosen. */
  #keepPlace(keep, live) {
    if (keep !== this.#keeps) {
      const { height } = this.element.getBoundingClientRect();
      this.element.style.minHeight = keep ? `${live ? Math.min(height, MOST_KEPT_PX) : height}px` : "";
    }
    this.#keeps = keep;
  }

  #focus() {
    (this.#hidden ? this.#moves : this.#field ?? this.#moves).focus({ preventScroll: true });
  }

  /** A key that was pressed anywhere but in a field. True if it was for us. */
  key(event) {
    const buttons = [...this.#moves.querySelectorAll("button[data-move]:not(:disabled)")];
    if (this.#hidden || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (this.#field && /^[0-9a-z]$/i.test(event.key)) {
      this.#field.focus();
      return false;
    }
    if (!buttons.length) return false;
    if (event.key === "Escape" || event.key === "Backspace") {
      this.#type(event.key === "Escape" ? "" : this.#typed.slice(0, -1), buttons);
      return false;
    }
    if (!/^[0-9a-z]$/i.test(event.key)) return false;
    const late = event.timeStamp - this.#typedAt > TYPED_FOR_MS;
    this.#typedAt = event.timeStamp;
    const key = event.key.toUpperCase();
    return this.#type((late ? "" : this.#typed) + key, buttons) || this.#type(key, buttons);
  }

  #type(typed, buttons) {
    const fits = (button) => button.dataset.move.toUpperCase().startsWith(typed);
    if (typed && !buttons.some(fits)) return false;
    this.#typed = typed;
    for (const button of buttons) button.classList.toggle("fits", typed !== "" && fits(button));
    const exact = buttons.find((button) => button.dataset.move.toUpperCase() === typed);
    (exact ?? this.#moves).focus({ preventScroll: true });
    return true;
  }

  /** Moves that name a tower stand together, in the order of the towers. */
  #buttons(legal, stacks) {
    const groups = new Map(stacks.map(({ label }) => [label, []]));
    const named = stacks.length > 1 && legal.every((move) => groups.has(move.slice(-1)));
    const short = legal.every((move) => move.length <= SHORT);
    if (!named) return h("div", { class: short ? "grid short" : "grid" }, legal.map((move) => this.#button(move)));
    for (const move of legal) groups.get(move.slice(-1)).push(this.#button(move));
    const few = [...groups.values()].every((buttons) => buttons.length <= FEW);
    const columns = h("div", { class: few ? "columns few" : "columns" }, [...groups].map(([label, buttons]) =>
      h("div", { class: "column", role: "group", "aria-label": `Tower ${label}` }, buttons),
    ));
    columns.style.setProperty("--towers", stacks.length);
    return columns;
  }

  #button(move) {
    return h("button", { class: "move", type: "button", "data-move": move, onclick: () => this.#play(move) }, move);
  }

  #form(room) {
    const numbers = room.moves.length > 0 && room.moves.every(({ move }) => /^\d+$/.test(move));
    this.#field = h("input", {
      class: "move-field",
      autocomplete: "off",
      enterkeyhint: "send",
      inputmode: numbers && "numeric",
      maxlength: 40,
      "aria-label": "Your move",
    });
    const send = (event) => {
      event.preventDefault();
      if (this.#field.value.trim()) this.#play(this.#field.value.trim());
    };
    return h("form", { class: "move-form", onsubmit: send }, this.#field, h("button", { class: "main" }, "Play"));
  }
}
