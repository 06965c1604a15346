// The table, drawn from a `view` alone: towers of blocks, and what is left to build with.

import { fill, h, match, write } from "./dom.js";
import { named } from "./words.js";

const MANY = 24;

export class Board {
  element = h("div", { class: "board" });

  /** @param marks who put each block there, as `provenance` finds it; @param step the last move's */
  draw(view, marks, step, seats) {
    const tallest = Math.max(4, ...view.stacks.map((stack) => stack.items.length));
    this.element.style.setProperty("--tallest", Math.min(tallest, 14));
    this.element.style.setProperty("--towers", view.stacks.length);
    this.element.classList.toggle("wide", view.stacks.length === 1);
    const stacks = view.stacks.map((stack, index) => ({ ...stack, index, marks: marks[index] ?? [] }));
    match(this.element, stacks, (stack) => stack.index, tower, (node, stack) => {
      drawTower(node, stack, step, seats);
    });
  }
}

/** Chips of what is left. A player's own stand beside their name, so it need not be said again. */
function supply({ label, items, owner }, seats) {
  const chips = items.map(({ value, count }) =>
    h("span", { class: "chip" }, value, count > 1 && h("small", {}, `×${count}`)),
  );
  const spoken = items.map(({ value, count }) => (count > 1 ? `${count} of ${value}` : value)).join(", ");
  const name = named(label, seats);
  return h(
    "div",
    {
      class: items.length > MANY ? "supply many" : "supply",
      role: "img",
      "aria-label": `${name}: ${spoken || "none"}`,
      // Many do not fit on a small screen and are scrolled, with the keyboard, too.
      tabindex: items.length > MANY && "0",
    },
    h("span", { class: "supply-label" }, owner === null ? name : label.replace(/^Player [12]'s /, "")),
    chips.length ? chips : h("span", { class: "chip none" }, "none"),
  );
}

function tower() {
  return h(
    "figure",
    { class: "tower" },
    h("div", { class: "stack", role: "img" }),
    h("figcaption", {}, h("span", { class: "tower-label" }), h("span", { class: "tower-note" })),
  );
}

function drawTower(node, { label, owner, items, note, marks }, step, seats) {
  const [stack, caption] = node.children;
  const name = named(label, seats);
  write(caption.children[0], name);
  write(caption.children[1], note);
  const spoken = items.length ? `${items.join(", ")}; ${items.at(-1)} is on top` : "empty";
  stack.setAttribute("aria-label", `${name}: ${spoken}.${note ? ` ${note}.` : ""}`);
  const blocks = items.map((value, index) => ({ value, index, mark: marks[index] })).reverse();
  const key = ({ value, index }) => `${index}:${value}`;
  match(stack, blocks, key, block, (one, { mark }) => {
    one.dataset.seat = mark?.seat ?? owner ?? "";
    one.classList.toggle("last", Boolean(mark) && mark.step === step);
  });
  stack.classList.toggle("empty", items.length === 0);
  stack.scrollTop = 0;
  // Who uses the keyboard alone must be able to scroll what does not fit.
  if (stack.scrollHeight > stack.clientHeight + 1) stack.tabIndex = 0;
  else stack.removeAttribute("tabindex");
}

function block({ value }) {
  const text = String(value);
  return h("span", { class: text.length > 6 ? "block long" : "block" }, text);
}

export function drawSupplies(element, supplies, seats) {
  const text = JSON.stringify([supplies, seats.map((seat) => seat?.name)]);
  if (element.dataset.drawn === text) return;
  element.dataset.drawn = text;
  fill(element, supplies.map((one) => supply(one, seats)));
}
