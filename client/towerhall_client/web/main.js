// The page: which part of it an address shows, and what all parts share.

import { Connection } from "./connection.js";
import { form } from "./dialog.js";
import { fill, h, write } from "./dom.js";
import { Lobby } from "./lobby.js";
import { Notices } from "./notices.js";
import { Seeking } from "./seeking.js";
import * as sound from "./sound.js";
import { Table } from "./table.js";
import { Tv } from "./tv.js";
import { readCode } from "./words.js";

const element = (id) => document.getElementById(id);
const games = JSON.parse(element("games").textContent);
const scheme = location.protocol === "https:" ? "wss" : "ws";
const connection = new Connection(`${scheme}://${location.host}/ws`, isPlaying);
let shown = null;
/** The address that is shown. */
let place = "";

const hall = {
  connection,
  /** The ids of the rooms that are not over where this player has a seat. */
  seats: new Set(),
  /** What this player looks for, as the hall says it, or null. */
  seeking: null,
  seek: (fields) => seeking.seek(fields),
  games,
  game: (id) => games.find((game) => game.id === id) ?? null,
  title: (text) => write(document.querySelector("title"), `${text} · towerhall`),
  /** For screen readers: said when they have finished what they are saying. */
  announce: (text) => fill(element("announcer"), h("p", {}, text)),
  /** Shows another part of the page. `snapshot`: of the room there, if it is known. */
  go(path, snapshot = null) {
    history.pushState(null, "", path);
    show(snapshot);
    scrollTo(0, 0);
    // Else the focus is on something that is gone.
    element("main").focus({ preventScroll: true });
  },
};

const seeking = new Seeking(hall);
const notices = new Notices();

const address = () => location.pathname + location.search;

function show(snapshot = null) {
  place = address();
  shown?.close();
  // A question that belongs to what was shown before.
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const [, section, code] = location.pathname.split("/");
  const room = code && readCode(code);
  document.documentElement.classList.toggle("overlay", new URLSearchParams(location.search).has("overlay"));
  if (room) shown = new Table(hall, room, { watch: section === "watch", snapshot });
  else if (section === "tv") shown = new Tv(hall);
  else shown = new Lobby(hall);
  fill(element("main"), shown.element);
  if (room) notices.keep((one) => one.code !== room);
}

/** Also after the match: there may be another one. */
function isPlaying() {
  const seated = shown instanceof Table && (shown.room?.you ?? null) !== null;
  return seated || seeking.active || hall.seats.size > 0;
}

/** Who looked for an opponent is taken to the game, or told of it in the middle of another. */
function paired({ room, snapshot }) {
  hall.seats.add(room);
  seeking.done();
  const now = shown instanceof Table ? shown.room : null;
  if (now?.room === room) return;
  if (!now || now.you === null || now.status === "over") {
    hall.go(`/r/${snapshot.code}`, snapshot);
  } else {
    hall.announce(notices.add(snapshot));
    sound.play("turn");
  }
}

function welcomed(welcome) {
  const known = hall.seats;
  hall.seats = new Set(welcome.seats.map(({ room }) => room));
  notices.keep(({ room }) => hall.seats.has(room));
  // A pairing that came while the line was down is a seat that was not there before.
  const fresh = seeking.active && !welcome.seeking ? [...hall.seats].filter((room) => !known.has(room)) : [];
  seeking.welcomed(welcome.seeking, fresh.length > 0);
  for (const room of fresh) connection.ask("watch", { room }).then((snapshot) => paired({ room, snapshot }), () => {});
}

function heard(message) {
  if (message.type === "paired") paired(message);
  if (message.kind === "closed" || message.match_over) notices.keep(({ room }) => room !== message.room);
}

function drawStatus() {
  const { state, welcome, stopped } = connection;
  const words = { connecting: "connecting…", open: "", reconnecting: "reconnecting…", stopped: "" };
  write(element("status"), words[state]);
  element("status").hidden = !words[state];
  element("stopped").hidden = state !== "stopped";
  if (state === "stopped") {
    const why = stopped.code === 4102 ? "You have this hall open in too many places; this one was let go." : `The hall closed this line: ${stopped.reason}.`;
    fill(element("stopped"), h("p", {}, why), h("button", { type: "button", class: "main", onclick: () => connection.again() }, "Connect again"));
  }
  write(element("name"), welcome?.player.name ?? "…");
  element("name").disabled = !welcome;
}

function rename() {
  const field = h("input", { name: "name", value: connection.welcome.player.name, maxlength: 20, autocomplete: "nickname", required: true });
  form("Your name", [h("label", {}, "What others see", field)], "Keep it", () => connection.rename(field.value.trim()));
}

function drawSound() {
  element("sound").setAttribute("aria-pressed", sound.isOn());
}

connection.addEventListener("state", drawStatus);
connection.addEventListener("welcome", ({ detail }) => {
  welcomed(detail);
  drawStatus();
});
connection.addEventListener("push", ({ detail }) => heard(detail));
connection.addEventListener("trouble", ({ detail }) => {
  write(element("status"), detail);
  element("status").hidden = false;
  setTimeout(drawStatus, 3000);
});
element("name").addEventListener("click", rename);
element("sound").addEventListener("click", () => (sound.toggle(), drawSound()));
// A place within the page, such as #main, is not another part of it.
addEventListener("popstate", () => address() !== place && show());
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  hall.go(link.getAttribute("href"));
});

fill(element("notices"), notices.element, seeking.element);
sound.allow();
drawSound();
drawStatus();
show();
connection.open();
