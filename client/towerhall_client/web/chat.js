// What people in the room say to each other.

import { h, match, write } from "./dom.js";

export class Chat {
  #log = h("div", { class: "chat-log", role: "log", "aria-label": "Chat", tabindex: "0" });
  #field = h("input", { maxlength: 200, autocomplete: "off", enterkeyhint: "send", "aria-label": "Say something", placeholder: "Say something" });
  #refusal = h("p", { class: "refusal", role: "alert" });
  element;

  /** @param say takes the text; resolves when it was said */
  constructor(say) {
    let saying = false;
    const send = async (event) => {
      event.preventDefault();
      const text = this.#field.value.trim();
      if (!text || saying) return;
      saying = true;
      write(this.#refusal, "");
      try {
        await say(text);
        if (this.#field.value.trim() === text) this.#field.value = "";
      } catch (error) {
        write(this.#refusal, error.message);
      } finally {
        saying = false;
      }
    };
    this.element = h(
      "section",
      { class: "card chat" },
      h("h2", {}, "Chat"),
      this.#log,
      h("form", { onsubmit: send }, this.#field, h("button", {}, "Send")),
      this.#refusal,
    );
  }

  draw(chat) {
    const low = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < 30;
    match(this.#log, chat, ({ seq }) => seq, ({ seat, name, text }) =>
      h("p", { "data-seat": seat }, h("b", {}, name), seat === null && h("i", {}, " watching"), " ", text),
    );
    if (low) this.#log.scrollTop = this.#log.scrollHeight;
  }
}
