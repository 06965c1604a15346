// What a room shows before there is a game in it: how others come, or how to sit down.

import { fill, h } from "./dom.js";
import { copyable, linkTo } from "./share.js";
import { nameOf, shownCode } from "./words.js";

export class Offer {
  #drawn = null;
  element = h("div", { class: "offer" });

  /** @param watch whether the free seat is not to be offered; @param join takes it */
  draw(room, game, watch, join) {
    const waiting = room.you !== null ? "invite" : watch ? "watch" : "join";
    const wanted = !room.seats.includes(null) ? "" : room.closed ? "closed" : waiting;
    if (wanted === this.#drawn) return;
    this.#drawn = wanted;
    fill(this.element,
      wanted === "invite" && invitation(room.code),
      wanted === "join" && invited(room, game, join),
      wanted === "watch" && toCome(room, game),
      wanted === "closed" && gone(),
    );
  }
}

/** Whether a link leads whoever follows it to their own machine. */
const isLocal = (link) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link).hostname);

function invitation(code) {
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
        isLocal(link) && h("p", { class: "hint" }, "This link works on this machine alone."),
      ),
    ),
  );
}

/** What whoever came by the link sees. Sitting down starts the clock, so it is theirs to do. */
function invited(room, game, join) {
  return h("section", { class: "card welcome" },
    h("h2", {}, `${nameOf(room, 0)} invites you to play`),
    game && h("p", {}, game.summary),
    h("div", { class: "buttons" }, h("button", { class: "main large", type: "button", onclick: join }, "Sit down and play")),
  );
}

/** What whoever came to watch sees before there is a game. */
function toCome(room, game) {
  return h("section", { class: "card welcome" },
    h("h2", {}, `${nameOf(room, 0)} waits for an opponent`), game && h("p", {}, game.summary), h("p", {}, "The game shows here when it begins."),
  );
}

/** A room that was closed before anybody came. */
function gone() {
  return h("section", { class: "card welcome gone" }, h("h2", {}, "This room is closed"), h("p", {}, h("a", { href: "/" }, "To the lobby")));
}
