// The cards beside a table: the ways into the room for somebody else, and the rules.

import { h, write } from "./dom.js";
import { optionLabel } from "./words.js";

/** Where others find this hall: as it says itself, or else as it was found from here. */
const hallAddress = () => document.querySelector("meta[name=hall]").content || location.origin;

/** @param section "r" to play, "watch" to watch */
export const linkTo = (code, section = "r") => `${hallAddress()}/${section}/${code}`;

export function rulesCard(room, game) {
  const options = game.options.map(({ name, help }) => {
    const value = room.options[name];
    return [h("dt", {}, optionLabel(help)), h("dd", {}, typeof value === "boolean" ? (value ? "yes" : "no") : value)];
  });
  return h("details", { class: "card", open: room.status === "open" },
    h("summary", {}, "Rules"), h("p", { class: "rules" }, game.rules), h("dl", { class: "options" }, options),
  );
}

export function shareCard(code) {
  return h("details", { class: "card" },
    h("summary", {}, "Share"), h("p", {}, "Anybody with this link can watch."), copyable(linkTo(code, "watch"), "Copy"),
  );
}

/** A text to copy, in a field, so that it can also be selected by hand. */
export function copyable(text, label) {
  const field = h("input", { class: "link", readonly: true, value: text, "aria-label": "Link", onfocus: () => field.select() });
  const button = h("button", { type: "button", onclick: copy }, label);
  async function copy() {
    field.select();
    try {
      // Browsers offer the clipboard on https and on this machine; elsewhere there is the old way.
      if (navigator.clipboard) await navigator.clipboard.writeText(text);
      else if (!document.execCommand("copy")) throw new Error();
      write(button, "Copied");
    } catch {
      write(button, "Press Ctrl+C");
    }
    setTimeout(() => write(button, label), 2000);
  }
  return h("div", { class: "copyable" }, field, button);
}
