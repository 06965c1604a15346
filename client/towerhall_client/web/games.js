// A game in the lobby: what it is, and the ways to begin one.

import { h, write } from "./dom.js";
import { count, label, terms } from "./words.js";

/** What a quick match is played with: each player begins once. */
const QUICK_CLOCK = { initial_ms: 180_000, increment_ms: 2_000 };

/** @param begin seek: looks for an opponent; create: opens the form for a new room */
export function gameCard(game, { seek, create }) {
  const waiting = h("span", { class: "figure" });
  const wanted = { game: game.id, preset: quickPreset(game), clock: QUICK_CLOCK, rounds: 2 };
  const quick = () => seek(wanted);
  const element = h("article", { class: "card game-card" },
    h("span", { class: "emblem", "aria-hidden": "true" }, h("span", { class: "block" }, emblem(game.title))),
    h("div", { class: "game-words" }, h("h3", {}, game.title), h("p", {}, game.summary), waiting),
    h("div", { class: "buttons" },
      h("button", { class: "main", type: "button", onclick: quick, "aria-label": `Quick match: ${game.title}`, title: terms(wanted) }, "Quick match"),
      h("button", { type: "button", onclick: create, "aria-label": `New room: ${game.title}` }, "New room"),
    ),
    h("details", {}, h("summary", {}, "Rules"), h("p", { class: "rules" }, game.rules), h("p", { class: "rules" }, presets(game), ` Quick match: ${terms(wanted)}.`)),
  );
  return {
    element,
    waiting(seeks) {
      const players = seeks.filter((one) => one.game === game.id).reduce((sum, one) => sum + one.count, 0);
      write(waiting, players ? `${count(players, "player")} waiting` : "");
    },
  };
}

/** Rated where the game has a preset for it: that one is fair to both players. */
const quickPreset = (game) => game.presets.find(({ rated }) => rated)?.name ?? game.presets[0].name;

function emblem(title) {
  return title.split(/[^A-Za-z]+/).filter(Boolean).at(-1).charAt(0);
}

function presets(game) {
  return game.presets
    .map(({ name, rated, options }) => {
      const values = Object.entries(options).map(([option, value]) => `${label(option).toLowerCase()} ${yesNo(value)}`);
      return `${label(name)}${values.length ? `: ${values.join(", ")}` : ""}${rated ? " (rated)" : ""}.`;
    })
    .join(" ");
}

const yesNo = (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : value);
