// The cards beside a table: the ways into the room for somebody else, and the rules.

import { h, write } from "./dom.js";
import { nameOf, shownCode } from "./words.js";

/** @param section "r" to play, "watch" to watch */
const linkTo = (code, section = "r") => `${location.origin}/${section}/${code}`;

export function invitation(code) {
  const link = linkTo(code);
  return h(
    "section",
    { class: "card invitation" },
    h("h2", {}, "Invite somebody"),
    h("p", {}, "Send somebody this link, or the code. The game begins when they press “Sit down and play”."),
    h("div", { class: "invitation-ways" },
      h("img", { class: "qr", src: `/qr/${code}.svg`, alt: "QR code of the link", width: 148, height: 148 }),
      h("div", {},
        h("p", { class: "code", "aria-label": "Room code" }, shownCode(code)),
        copyable(link, "Copy the link"),
      ),
    ),
  );
}

/** What whoever came by the link sees. Sitting down starts the clock, so it is theirs to do. */
export function invited(room, game, join) {
  return h("section", { class: "card welcome" },
    h("h2", {}, `${nameOf(room, 0)} invites you to play`),
    game && h("p", {}, game.summary),
    h("div", { class: "buttons" }, h("button", { class: "main large", type: "button", onclick: join }, "Sit down and play")),
  );
}

export function rulesCard(room, game) {
  const options = game.options.map(({ name, help }) => {
    const value = room.options[name];
    return [h("dt", {}, help), h("dd", {}, typeof value === "boolean" ? (value ? "yes" : "no") : value)];
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
function copyable(text, label) {
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
