// The line to the hall: says hello, asks and is answered, and when the line drops, comes back as
// the same player and asks again what was not answered. Every request is safe to send twice: moves
// by their ply, the others by a key, or because they change nothing.

import { HallClock } from "./clock.js";
import { forget, onWritten, recall, remember } from "./memory.js";

const PROTOCOL = "towerhall.v1.json";
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 10_000;
const SILENCE_MS = 13_000;
const FINAL = { from: 4100, to: 4199 };
const ASK_AGAIN = new Set(["unavailable", "draining"]);
/** Too many codes that lead nowhere: whoever typed one has to know that, and wait a minute. */
const BY_CODE = new Set(["join", "watch"]);
/** After so many it is not the speed: the sentence goes to who asked. */
const MOST_TOO_FAST = 8;

/** An answer that says no. `message` is a sentence for a person. */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.answer = error;
  }
}

/**
 * Events: "state" when `state` changed; "welcome" before anything is asked again; "push" with a
 * message of the hall's own; "trouble" with a sentence while the hall cannot answer.
 */
export class Connection extends EventTarget {
  /** @type {"connecting"|"open"|"reconnecting"|"stopped"} */
  state = "connecting";
  welcome = null;
  clock = new HallClock();
  #url;
  #playing;
  #socket = null;
  #asked = 0;
  #waiting = new Map();
  #failures = 0;
  #timer = 0;
  #heardAt = 0;
  #newName = null;
  #said = null;
  /** Of the player that the hall has welcomed here. */
  #token = null;
  #insisted = false;

  /** @param playing whether something would be lost if this page became another player */
  constructor(url, playing) {
    super();
    this.#url = url;
    this.#playing = playing;
  }

  open() {
    this.#connect();
    setInterval(() => this.#listen(), 1000);
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => !document.hidden && this.#hurry());
    // Pages that a browser keeps for its back button have lost their socket.
    addEventListener("pageshow", (event) => event.persisted && this.#hurry());
    onWritten("token", () => this.#overruled());
  }

  /** Comes back after the hall has sent this page away. */
  again() {
    this.#failures = 0;
    this.#connect();
  }

  /**
   * Resolves to the reply, also when the line drops in between; rejects with Refused.
   * `once`: asked on this line only; who wants it on the next one asks again on "welcome".
   */
  ask(type, fields = {}, { once = false } = {}) {
    return new Promise((resolve, reject) => {
      const request = { type, id: (this.#asked += 1), ...fields };
      this.#waiting.set(request.id, { request, once, resolve, reject, tooFast: 0 });
      if (this.state === "open") this.#send(request);
    });
  }

  /** A name is given with hello, so this is a new line. Rejects with Refused if it cannot be had. */
  rename(name) {
    return new Promise((resolve, reject) => {
      this.#newName = { name, resolve, reject };
      this.#drop();
      this.#connect();
    });
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#drop();
    const socket = new WebSocket(this.#url, PROTOCOL);
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.onopen = () => this.#hello();
    socket.onmessage = ({ data }) => {
      this.#heardAt = performance.now();
      this.#hear(JSON.parse(data));
    };
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    // A line that is cut answers no goodbye: nobody waits for it.
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #hello() {
    const token = (this.#said = (this.#playing() && this.#token) || recall("token"));
    const name = this.#newName?.name;
    this.#send({ type: "hello", id: (this.#asked += 1), ...(token && { token }), ...(name && { name }) });
    this.#change(this.welcome ? "reconnecting" : "connecting");
  }

  #hear(message) {
    if (message.now_ms !== undefined) this.clock.set(message.now_ms);
    if (this.state !== "open") this.#greeted(message);
    else if (message.re === undefined) this.#tell("push", message);
    else this.#answered(message);
  }

  #greeted(message) {
    if (message.type === "error") {
      this.#refusedAtTheDoor(message);
    } else if (message.type === "welcome") {
      if (message.token && !this.#keep(message.token)) return;
      this.#token = message.token ?? this.#said;
      this.welcome = message;
      this.#failures = 0;
      this.#newName?.resolve(message.player);
      this.#newName = null;
      this.#change("open");
      this.#reject((waiting) => waiting.once);
      const unanswered = [...this.#waiting.values()];
      this.#tell("welcome", message);
      for (const { request } of unanswered) this.#send(request);
    }
  }

  /** False if another tab was quicker to become a player: then this one is the same. */
  #keep(token) {
    const other = recall("token");
    if (other && other !== token) {
      this.#connect();
      return false;
    }
    remember("token", token);
    return true;
  }

  /**
   * Tabs that are opened at once may each find no token, and become a player each. The last one to
   * write is who they all are; but who plays here goes on playing, and says so to the others.
   */
  #overruled() {
    if (!this.#token || recall("token") === this.#token || this.state === "stopped") return;
    if (!this.#playing()) {
      this.#connect();
    } else if (!this.#insisted) {
      // Once: two who insist would go on for ever.
      this.#insisted = true;
      remember("token", this.#token);
    }
  }

  #refusedAtTheDoor(error) {
    if (error.code === "bad_token") {
      this.#token = null;
      // Another tab may have become a new player meanwhile: then this one is the same.
      if (recall("token") === this.#said) forget("token");
      this.#hello();
    } else if (error.code === "bad_name" && this.#newName) {
      this.#newName.reject(new Refused(error));
      this.#newName = null;
      this.#hello();
    } else {
      this.#closed(1006, error.message);
    }
  }

  #answered(message) {
    const waiting = this.#waiting.get(message.re);
    if (!waiting) return;
    if (message.type === "error" && mayAskAgain(message, waiting)) {
      this.#tell("trouble", message.message);
      setTimeout(() => this.#askAgain(waiting), message.wait_ms ?? 700 + Math.random() * 600);
      return;
    }
    this.#waiting.delete(message.re);
    if (message.type === "error") waiting.reject(new Refused(message));
    else waiting.resolve(message);
  }

  #askAgain({ request }) {
    if (this.state === "open" && this.#waiting.has(request.id)) this.#send(request);
  }

  #closed(code, reason) {
    this.#drop();
    const final = code >= FINAL.from && code <= FINAL.to;
    this.stopped = final ? { code, reason } : null;
    if (final) {
      this.#change("stopped");
      return;
    }
    this.#change(this.welcome ? "reconnecting" : "connecting");
    this.#failures += 1;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1));
    // Spread out: a node that stops sends everybody away at once.
    this.#timer = setTimeout(() => this.#connect(), wait * (0.5 + Math.random() / 2));
  }

  /** The hall says something every few seconds; if not, the line is dead and nobody told us. */
  #listen() {
    if (this.#socket && performance.now() - this.#heardAt > SILENCE_MS) this.#closed(1006, "");
  }

  #hurry() {
    if (this.state === "stopped" || this.state === "open") return;
    if (this.#socket?.readyState !== WebSocket.OPEN) this.#connect();
  }

  #reject(which) {
    for (const [id, waiting] of this.#waiting) {
      if (!which(waiting)) continue;
      this.#waiting.delete(id);
      waiting.reject(new Refused({ code: "lost", message: "The line was lost." }));
    }
  }

  #send(request) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
  }

  #change(state) {
    if (state === this.state) return;
    this.state = state;
    this.#tell("state", state);
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

function mayAskAgain({ code }, waiting) {
  if (code !== "rate_limited") return ASK_AGAIN.has(code);
  waiting.tooFast += 1;
  return !BY_CODE.has(waiting.request.type) && waiting.tooFast <= MOST_TOO_FAST;
}
