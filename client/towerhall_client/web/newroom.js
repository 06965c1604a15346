// The form for a new room.

import { form } from "./dialog.js";
import { fill, h } from "./dom.js";
import { freshKey } from "./memory.js";
import { label, optionLabel } from "./words.js";

const CLOCKS = [
  ["180000+2000", "3 min + 2 s a move"],
  ["60000+1000", "1 min + 1 s a move"],
  ["600000+5000", "10 min + 5 s a move"],
  ["1800000+20000", "30 min + 20 s a move"],
  ["none", "no clock"],
  ["own", "another…"],
];

export function newRoom(hall, game) {
  const options = h("div", { class: "fields" });
  const preset = select("preset", game.presets.map(({ name, rated }) => [name, label(name) + (rated ? " (may be rated)" : "")]));
  const drawOptions = () => fill(options, game.options.map((option) => optionField(option, valuesOf(game, preset.value))));
  preset.addEventListener("change", drawOptions);
  drawOptions();
  const clock = select("clock", CLOCKS);
  const own = h("div", { class: "pair", hidden: true },
    h("label", {}, "Minutes", number("minutes", 5, 1, 180)),
    h("label", {}, "Seconds a move", number("increment", 5, 0, 60)),
  );
  clock.addEventListener("change", () => (own.hidden = clock.value !== "own"));
  const fields = [
    h("label", {}, "Kind", preset),
    h("details", {}, h("summary", {}, "Options"), options),
    h("label", {}, "Clock", clock),
    own,
    h("div", { class: "pair" },
      h("label", {}, "Games", number("rounds", 1, 1, 16)),
      h("label", {}, "Who begins", select("first", [["random", "by lot"], ["creator", "I do"], ["joiner", "the other one"]])),
    ),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "listed" }), "Show it in the lobby, for anybody to join or watch"),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "rated" }), "Rated: an even number of games, of a kind that may be rated"),
  ];
  form(`New room: ${game.title}`, fields, "Open the room", async (filled) => {
    const snapshot = await hall.connection.ask("create", { ...asked(game, filled), key: freshKey() });
    hall.go(`/r/${snapshot.code}`, snapshot);
  });
}

/** What the form asks for, as `create` has it: options only where they differ from the preset's. */
function asked(game, filled) {
  const given = new FormData(filled);
  const usual = valuesOf(game, given.get("preset"));
  const options = {};
  for (const { name, type } of game.options) {
    const value = type === "bool" ? given.has(`option-${name}`) : Number(given.get(`option-${name}`));
    if (value !== usual[name]) options[name] = value;
  }
  const rated = given.has("rated");
  return {
    game: game.id,
    preset: given.get("preset"),
    options,
    clock: clockOf(given),
    rounds: Number(given.get("rounds")),
    first: given.get("first"),
    listed: given.has("listed"),
    ...(rated && { rated }),
  };
}

function clockOf(given) {
  const chosen = given.get("clock");
  if (chosen === "none") return null;
  if (chosen === "own") return { initial_ms: given.get("minutes") * 60_000, increment_ms: given.get("increment") * 1000 };
  const [initial_ms, increment_ms] = chosen.split("+").map(Number);
  return { initial_ms, increment_ms };
}

function valuesOf(game, preset) {
  const usual = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
  return { ...usual, ...game.presets.find(({ name }) => name === preset).options };
}

function optionField({ name, type, range, help }, values) {
  if (type === "bool") {
    return h("label", { class: "check" }, h("input", { type: "checkbox", name: `option-${name}`, checked: values[name] }), optionLabel(help));
  }
  return h("label", {}, optionLabel(help), number(`option-${name}`, values[name], ...range));
}

function number(name, value, min, max) {
  return h("input", { type: "number", name, value, min, max, required: true, inputmode: "numeric" });
}

function select(name, choices) {
  return h("select", { name }, choices.map(([value, text]) => h("option", { value }, text)));
}
