// The lobby: games to choose from, who waits, what is being played, who is best.

import { Follower } from "./follower.js";
import { h, match, write } from "./dom.js";
import { gameCard } from "./games.js";
import { Leaders } from "./leaders.js";
import { history } from "./past.js";
import { newRoom } from "./newroom.js";
import { count, nameOf, readCode, shownClock, shownRating, terms } from "./words.js";

const MOST_OWN = 10;

export class Lobby {
  #hall;
  #own = new Map();
  #refusal = h("p", { class: "refusal", role: "alert" });
  #leaders;
  #past = h("div", {});
  #cards;
  #lists = {
    own: h("ul", { class: "rows" }),
    seeks: h("ul", { class: "rows" }),
    open: h("ul", { class: "rows" }),
    live: h("ul", { class: "rows" }),
  };
  #sections = {};
  #online = h("p", { class: "online" });
  #onWelcome = () => this.#welcomed();
  #onPush = ({ detail }) => this.#heard(detail);
  element;

  constructor(hall) {
    this.#hall = hall;
    this.#leaders = new Leaders(hall);
    this.#cards = hall.games.map((game) =>
      gameCard(game, { seek: hall.seek, create: () => newRoom(hall, game) }),
    );
    for (const [name, title, empty] of [
      ["own", "Your games", ""],
      ["seeks", "Looking for an opponent", ""],
      ["open", "Open rooms", "Nobody waits just now. Open a room, or look for a quick match."],
      ["live", "Live games", "No game to watch just now."],
    ]) {
      this.#sections[name] = h("section", { class: "card", hidden: true }, h("h2", {}, title), this.#lists[name], h("p", { class: "empty" }, empty));
    }
    this.#build();
    hall.title("Number games, live");
    hall.connection.addEventListener("welcome", this.#onWelcome);
    hall.connection.addEventListener("push", this.#onPush);
    if (hall.connection.state === "open") this.#welcomed();
  }

  close() {
    this.#hall.connection.removeEventListener("welcome", this.#onWelcome);
    this.#hall.connection.removeEventListener("push", this.#onPush);
    this.#hall.connection.ask("lobby", { on: false }).catch(() => {});
    for (const follower of this.#own.values()) follower.close();
  }

  #build() {
    const { own, seeks, open, live } = this.#sections;
    const field = h("input", { name: "code", placeholder: "K7Q-2MX", maxlength: 8, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "aria-label": "Room code" });
    const enter = (event) => {
      event.preventDefault();
      const code = readCode(field.value);
      if (code) this.#hall.go(`/r/${code}`);
      else write(this.#refusal, "A code has six letters and digits, such as K7Q-2MX.");
    };
    this.element = h("div", { class: "lobby" },
      h("header", { class: "hero" },
        h("div", {}, h("h1", {}, "Number games, live."), h("p", {}, "Play a friend by link, a stranger by quick match, or watch a game."), this.#online),
        h("form", { class: "code-form", onsubmit: enter }, field, h("button", {}, "Enter the room"), this.#refusal),
      ),
      own,
      h("section", { class: "games" }, h("h2", { class: "visually-hidden" }, "Games"), this.#cards.map(({ element }) => element)),
      h("div", { class: "side" }, seeks, open, live, this.#leaders.element, this.#past),
    );
  }

  #welcomed() {
    this.#follow([...this.#hall.seats].slice(0, MOST_OWN));
    this.#hall.connection.ask("lobby", { on: true }, { once: true }).then(
      (lobby) => this.#heard(lobby),
      () => {},
    );
    this.#leaders.load();
    history(this.#hall).then((section) => section && this.#past.replaceChildren(section), () => {});
  }

  /** A player's own games are followed, so that the lobby says where it is their turn. */
  #follow(rooms) {
    for (const [room, follower] of this.#own) {
      if (rooms.includes(room)) continue;
      follower.close();
      this.#own.delete(room);
    }
    for (const room of rooms) {
      if (this.#own.has(room)) continue;
      const follower = new Follower(this.#hall.connection, room);
      follower.addEventListener("change", () => this.#drawOwn());
      this.#own.set(room, follower);
      follower.catchUp();
    }
    this.#drawOwn();
  }

  #heard(message) {
    if (message.type !== "lobby") return;
    const { seeks, open, live, online } = message;
    write(this.#online, `${count(online, "player")} here, ${count(live.length, "game")} on.`);
    for (const card of this.#cards) card.waiting(withoutOwn(seeks, this.#hall.seeking));
    const others = open.filter(({ room }) => !this.#own.has(room));
    this.#list("seeks", withoutOwn(seeks, this.#hall.seeking), seekKey, (seek) => this.#seekRow(seek), (row, seek) => write(row.children[1], count(seek.count, "player")));
    this.#list("open", others, ({ room }) => room, (room) => this.#openRow(room));
    this.#list("live", live, ({ room }) => room, liveRow, drawLive);
    this.#sections.open.hidden = this.#sections.live.hidden = false;
  }

  #list(name, items, key, make, update) {
    match(this.#lists[name], items, key, make, update);
    this.#sections[name].hidden = items.length === 0;
    this.#lists[name].hidden = items.length === 0;
    this.#sections[name].lastChild.hidden = items.length > 0;
  }

  #drawOwn() {
    const rooms = [...this.#own.values()].map(({ room }) => room).filter((room) => room && room.status !== "over");
    this.#list("own", rooms, ({ room }) => room, ownRow, drawOwn);
  }

  #seekRow(seek) {
    const title = this.#hall.game(seek.game)?.title ?? seek.game;
    const { game, preset, options, clock, rounds, rated } = seek;
    const play = () => this.#hall.seek({ game, preset, options, clock, rounds, rated });
    return row(title, terms(seek), h("button", { type: "button", onclick: play, "aria-label": `Play ${title}, ${terms(seek)}` }, "Play"), h("span", { class: "figure" }));
  }

  #openRow(room) {
    const join = async (event) => {
      event.target.disabled = true;
      try {
        const snapshot = await this.#hall.connection.ask("join", { room: room.room });
        this.#hall.go(`/r/${snapshot.code}`, snapshot);
      } catch (error) {
        write(this.#refusal, error.message);
        event.target.disabled = false;
      }
    };
    const who = [room.by, shownRating(room.rating)].filter(Boolean).join(" ");
    return row(`${who} · ${room.title}`, terms(room), h("button", { type: "button", onclick: join, "aria-label": `Play ${room.by} at ${room.title}` }, "Play"));
  }
}

const seekKey = ({ game, preset, options, clock, rounds, rated }) =>
  JSON.stringify([game, preset, Object.entries(options).sort(), clock, rounds, rated]);

/** What others look for: who seeks is counted among the seekers. */
function withoutOwn(seeks, own) {
  const mine = own && seekKey(own);
  return seeks.map((seek) => (seekKey(seek) === mine ? { ...seek, count: seek.count - 1 } : seek)).filter((seek) => seek.count > 0);
}

function row(title, detail, action, ...more) {
  return h("li", { class: "row" }, h("div", {}, h("b", {}, title), h("span", { class: "detail" }, detail)), ...more, action);
}

function liveRow({ code, title, names }) {
  return row("", "", h("a", { class: "button", href: `/watch/${code}`, "aria-label": `Watch ${names.join(" against ")} at ${title}` }, "Watch"));
}

function drawLive(node, { title, names, ratings, score, ply, clock, watchers, rounds }) {
  const players = names.map((name, seat) => [name, shownRating(ratings?.[seat])].filter(Boolean).join(" "));
  write(node.querySelector("b"), players.join(" – "));
  const parts = [title, shownClock(clock), rounds > 1 && score.join(":"), count(ply, "move"), watchers && count(watchers, "watcher")];
  write(node.querySelector(".detail"), parts.filter(Boolean).join(" · "));
}

function ownRow({ code, title }) {
  return row("", "", h("a", { class: "button main", href: `/r/${code}`, "aria-label": `Go on with ${title}` }, "Go on"));
}

function drawOwn(node, room) {
  const opponent = room.seats[1 - room.you] ? `against ${nameOf(room, 1 - room.you)}` : "waiting for an opponent";
  const turn = room.turn === null ? "" : room.turn === room.you ? "your turn" : "their turn";
  write(node.querySelector("b"), room.title);
  write(node.querySelector(".detail"), [opponent, turn].filter(Boolean).join(" · "));
}
