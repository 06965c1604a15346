// A question that must be answered first.

import { h, write } from "./dom.js";

/** Asks yes or no; resolves to the answer. Escape is no, and so is a signal that it came too late. */
export function confirm(question, yes, signal, no = "No, go on") {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "card", "aria-label": question, onclose: () => (dialog.remove(), resolve(dialog.returnValue === "yes")) },
      h("form", { method: "dialog" },
        h("p", {}, question),
        h("div", { class: "buttons" }, h("button", { value: "no" }, no), h("button", { value: "yes", class: "danger" }, yes)),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    signal.addEventListener("abort", () => dialog.close());
  });
}

/**
 * A form in a dialog. `send` is called when it is submitted; the dialog closes when that resolves,
 * and shows the sentence when it is refused.
 */
export function form(title, fields, submit, send) {
  const refusal = h("p", { class: "refusal", role: "alert" });
  const main = h("button", { class: "main" }, submit);
  const submitted = async (event) => {
    event.preventDefault();
    main.disabled = true;
    write(refusal, "");
    try {
      await send(event.target);
      dialog.close();
    } catch (error) {
      write(refusal, error.message);
    } finally {
      main.disabled = false;
    }
  };
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const dialog = h(
    "dialog",
    { class: "card", "aria-labelledby": "dialog-title", onclose: () => dialog.remove() },
    h("h2", { id: "dialog-title" }, title),
    h("form", { class: "fields", onsubmit: submitted }, fields, h("div", { class: "foot" }, refusal, h("div", { class: "buttons" }, cancel, main))),
  );
  // What is wrong must be seen, also where it was folded away.
  dialog.addEventListener("invalid", ({ target }) => target.closest("details")?.setAttribute("open", ""), true);
  document.body.append(dialog);
  dialog.showModal();
}
