// A player's own finished matches.

import { h } from "./dom.js";

const SHOWN = 8;

/** The section, or null where there is nothing to show. */
export async function history(hall) {
  const { matches } = await hall.connection.ask("history", {}, { once: true });
  if (!matches.length) return null;
  return h("section", { class: "card" }, h("h2", {}, "Your last matches"), h("ul", { class: "rows" }, matches.slice(0, SHOWN).map(entry)));
}

function entry({ code, title, opponent, seat, score, winner, reason, rating, change, at_ms }) {
  const how = reason === "aborted" ? "called off" : winner === null ? "drawn" : winner === seat ? "won" : "lost";
  const when = new Date(at_ms).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  const rated = change === null ? "" : `${rating?.value ?? ""} (${change < 0 ? "−" : "+"}${Math.abs(change)})`;
  const detail = [title, `${score[seat]}:${score[1 - seat]}`, rated, when].filter(Boolean).join(" · ");
  return h("li", { class: "row" },
    h("div", {}, h("b", {}, `${how} against ${opponent.name}`), h("span", { class: "detail" }, detail)),
    h("a", { class: "button", href: `/watch/${code}`, "aria-label": `Look at the match against ${opponent.name}` }, "Look"),
  );
}
