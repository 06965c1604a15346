// The page of one room: waiting, playing, watching, and looking back at it when it is over.

import { Actions } from "./actions.js";
import { Board, drawSupplies } from "./board.js";
import { Chat } from "./chat.js";
import { Choice } from "./choice.js";
import { away } from "./clock.js";
import { fill, h, write } from "./dom.js";
import { Follower } from "./follower.js";
import { freshKey } from "./memory.js";
import { Offer } from "./offer.js";
import { outcome, sentence, title, waitingFor } from "./outcome.js";
import { PlayerStrip } from "./players.js";
import { framesOf, hasTime, isRunning, isWhole, provenance } from "./room.js";
import { rulesCard, shareCard } from "./share.js";
import { Sheet } from "./sheet.js";
import * as sound from "./sound.js";
import { count, named, nameOf, readCode, shownCode, terms } from "./words.js";

const TICK_MS = 100;

export class Table {
  element = h("div", { class: "table" }, h("p", { class: "lonely" }, "Looking for the room…"));
  #hall;
  #follower;
  #options;
  #step = null;
  #past = null;
  #pending = null;
  #timer = 0;
  #built = false;
  #closed = false;
  /** Whether the opponent is here, as it was last seen. */
  #met = true;
  #strips = [new PlayerStrip(), new PlayerStrip()];
  #board = new Board();
  #shared = h("div", { class: "supplies shared" });
  #notes = h("p", { class: "notes" });
  #result = h("p", { class: "result" });
  #heading = h("h1", {});
  #terms = h("p", { class: "terms" });
  #offer = new Offer();
  #rounds = h("div", { class: "rounds", role: "group", "aria-label": "Games of this room" });
  #choice = new Choice((move) => this.#play(move));
  #sheet = new Sheet((step) => this.#show(step));
  #chat = new Chat((text) => this.#ask("say", { room: this.#room.room, text, key: freshKey() }));
  #actions = new Actions((type, fields) => this.#ask(type, fields), () => this.#download());
  #onKey = (event) => this.#key(event);
  #onState = () => this.#draw();

  /**
   * @param hall what every page has: connection, go, announce, title
   * @param code the room's code or id
   * @param options watch: never offer the free seat; snapshot: the room, if it is known;
   *   onOver: called when the match is over
   */
  constructor(hall, code, options = {}) {
    this.#hall = hall;
    this.#options = options;
    this.#follower = new Follower(hall.connection, code);
    this.#follower.addEventListener("change", ({ detail }) => this.#changed(detail));
    this.#follower.addEventListener("refused", ({ detail }) => this.#refused(detail));
    hall.connection.addEventListener("state", this.#onState);
    document.addEventListener("keydown", this.#onKey);
    if (isCode(code)) hall.title(`Room ${shownCode(code)}`);
    if (options.snapshot) this.#follower.take(options.snapshot);
    else if (hall.connection.state === "open") this.#follower.catchUp();
  }

  get room() {
    return this.#room;
  }

  close() {
    this.#closed = true;
    clearInterval(this.#timer);
    document.removeEventListener("keydown", this.#onKey);
    this.#hall.connection.removeEventListener("state", this.#onState);
    this.#actions.close();
    this.#follower.close();
  }

  get #room() {
    return this.#follower.room;
  }

  #ask(type, fields) {
    return this.#hall.connection.ask(type, fields);
  }

  // What happens

  #changed(events) {
    const room = this.#room;
    if (events.some(({ kind }) => kind === "started")) [this.#step, this.#past] = [null, null];
    if (room.seats.every(Boolean) && !isWhole(room)) this.#follower.fetchFrames();
    this.#follower.fetchTalk();
    if (room.you !== null) this.#hall.seats[room.status === "over" ? "delete" : "add"](room.room);
    this.#draw();
    this.#tell(events);
    if (room.status === "over") this.#options.onOver?.();
  }

  #refused(error) {
    if (this.#room) {
      this.#choice.refuse(error.message);
      return;
    }
    this.#hall.title("No room here");
    const gone = error.code === "no_such_room" && h("p", {}, "The code may be mistyped, or the room is gone.");
    fill(this.element,
      h("div", { class: "card lonely" },
        h("h1", {}, "No room here"), h("p", {}, error.message), gone, h("p", {}, h("a", { href: "/" }, "To the lobby")),
      ),
    );
  }

  #tell(events) {
    const room = this.#room;
    const said = [...events.map((event) => sentence(event, room)), this.#comings(room)].filter(Boolean);
    const moved = events.some(({ kind }) => kind === "moved" || kind === "started");
    if (moved && isRunning(room) && room.turn === room.you) said.push("Your turn.");
    if (said.length) this.#hall.announce(said.join(" "));
    if (events.some(({ kind }) => kind === "finished")) sound.play("end");
    else if (events.some(({ kind, seat }) => kind === "started" || (kind === "moved" && seat !== room.you))) sound.play("turn");
  }

  /** Whether the opponent left or came back since the last time. */
  #comings(room) {
    const opponent = isRunning(room) && room.you !== null ? room.seats[1 - room.you] : null;
    const here = opponent?.online ?? true;
    if (here === this.#met) return "";
    this.#met = here;
    return opponent ? `${nameOf(room, 1 - room.you)} is ${here ? "back" : "away"}.` : "";
  }

  async #play(move) {
    const { room, round, ply } = this.#room;
    if (this.#pending !== null) return;
    this.#pending = move;
    this.#choice.refuse("");
    this.#draw();
    const refusal = await this.#ask("move", { room, round, ply, move }).then(() => "", ({ message }) => message);
    this.#pending = null;
    this.#draw();
    if (refusal) this.#choice.refuse(refusal);
  }

  async #join() {
    try {
      this.#follower.take(await this.#ask("join", { room: this.#room.code }));
    } catch (error) {
      this.#choice.refuse(error.message);
    }
  }

  async #download() {
    const { code, round } = this.#room;
    const shown = this.#past?.round ?? round;
    const { text } = await this.#ask("record", { room: code, round: shown });
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    h("a", { href: address, download: `towerhall-${code}-${shown}.txt` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  // Looking back

  #show(step) {
    this.#step = step;
    this.#draw();
  }

  async #showRound(round) {
    this.#step = null;
    this.#past = null;
    if (round !== this.#room.round) {
      const record = await this.#ask("record", { room: this.#room.code, round });
      this.#past = { round, frames: framesOf(record) };
      this.#step = this.#past.frames.length - 1;
    }
    this.#draw();
  }

  /** The frames that are looked at, and which of them. */
  #shown() {
    const frames = this.#past?.frames ?? this.#room.frames;
    const latest = frames.length - 1;
    const at = Math.min(this.#step ?? latest, latest);
    return { frames, at, latest, frame: frames[at] ?? frames[latest] };
  }

  #key(event) {
    if (event.target.closest("input, textarea, select, dialog") || !this.#room || event.defaultPrevented) return;
    const { at, latest } = this.#shown();
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: latest };
    if (event.key in steps && !event.target.closest(".stack, .chat-log, .sheet") && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const step = Math.max(0, steps[event.key]);
      this.#show(step >= latest && !this.#past ? null : Math.min(step, latest));
    } else if (!this.#choice.key(event)) {
      return;
    }
    event.preventDefault();
  }

  // Drawing

  #draw() {
    const room = this.#room;
    if (!room) return;
    if (!this.#built) this.#build(room);
    const { frames, at, latest, frame } = this.#shown();
    const live = !this.#past && at === latest;
    const view = live ? room.view : frame.view;
    this.#drawHeading(room);
    this.#board.draw(view, provenance(frames, at), at, room.seats);
    write(this.#notes, view.notes.map((note) => named(note, room.seats)).join(" "));
    const bottom = room.you ?? 0;
    const clocks = live ? room.clocks : frame.clocks && { ...frame.clocks, running: null };
    this.#strips[0].draw(room, 1 - bottom, view, clocks);
    this.#strips[1].draw(room, bottom, view, clocks);
    this.element.classList.toggle("open", room.seats.includes(null));
    const waiting = live ? waitingFor(room) : this.#past ? `Looking back at game ${this.#past.round}.` : `Looking back: move ${at} of ${latest}.`;
    const mine = live && room.turn !== null && room.turn === room.you;
    const buttons = mine ? room.legal : null;
    drawSupplies(this.#shared, view.supplies.filter((one) => one.owner === null && !repeats(one, buttons)), room.seats);
    this.#choice.draw({ room, live, pending: this.#pending, waiting });
    // After that: it measures what it took up until now.
    this.element.classList.toggle("mine", mine);
    const moves = frames.slice(1).map((one, index) => ({ ply: index, ...(one ?? room.moves[index]) })).filter(({ move }) => move);
    this.#sheet.draw({ room, moves, at, text: named(frame.text, room.seats), following: live });
    this.#chat.draw(room.chat);
    this.#actions.draw(room);
    this.#tick();
    clearInterval(this.#timer);
    if (hasTime(room) && !this.#closed) this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  #drawHeading(room) {
    write(this.#heading, room.title);
    const game = room.rounds > 1 ? `game ${room.round}` : "";
    const watchers = room.watchers ? `${count(room.watchers, "watcher")}` : "";
    write(this.#terms, [shownCode(room.code), terms(room), game, watchers].filter(Boolean).join(" · "));
    const over = room.result && !isRunning(room);
    this.#result.hidden = !over && !room.closed;
    write(this.#result, room.closed ? "This room is closed." : over ? outcome(room) : "");
    this.#hall.title(title(room));
    this.#offer.draw(room, this.#hall.game(room.game), this.#options.watch, () => this.#join());
    this.#drawRounds(room);
  }

  #drawRounds(room) {
    this.#rounds.hidden = room.round < 2;
    const shown = this.#past?.round ?? room.round;
    if (this.#rounds.dataset.drawn === `${room.round}/${shown}`) return;
    this.#rounds.dataset.drawn = `${room.round}/${shown}`;
    const first = Math.max(1, room.round - 15);
    const rounds = Array.from({ length: room.round - first + 1 }, (_, index) => first + index);
    fill(this.#rounds, "Game", rounds.map((round) =>
      h("button", { type: "button", "aria-pressed": round === shown, onclick: () => this.#showRound(round) }, round),
    ));
  }

  #tick() {
    const room = this.#room;
    if (!room || !this.#built) return;
    const now = this.#hall.connection.clock.now();
    for (const strip of this.#strips) strip.tick(now);
    this.#actions.tick(now);
    if (room.result && room.status === "live" && !isRunning(room)) {
      const when = room.next_ms === null ? "The next game begins in a moment." : `Next game in ${away(room.next_ms - now)}.`;
      write(this.#result, `${outcome(room)} ${when}`);
    }
  }

  #build(room) {
    this.#built = true;
    const game = this.#hall.game(room.game);
    fill(this.element,
      h("section", { class: "game" },
        h("header", { class: "game-head" }, h("div", {}, this.#heading, this.#terms), this.#rounds),
        this.#offer.element,
        this.#strips[0].element,
        h("div", { class: "felt" }, this.#result, this.#board.element, this.#shared, this.#notes),
        this.#strips[1].element,
        this.#choice.element,
        this.#actions.element,
      ),
      h("aside", { class: "side" },
        this.#sheet.element,
        this.#chat.element,
        game && rulesCard(room, game),
        shareCard(room.code),
      ),
    );
  }
}

/** A table may also be found by its room's id. */
const isCode = (name) => readCode(name) === name;

/** Whether the buttons for the moves say the same as these chips would. */
const repeats = ({ items }, buttons) =>
  buttons !== null && items.every(({ count }) => count === 1) && items.map(({ value }) => value).join() === buttons.join();
