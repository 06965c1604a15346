// Follows one room: keeps its model whole over gaps and lost lines, and says when it changed.

import { Refused } from "./connection.js";
import { afterEvent, fromSnapshot, standing, withPresence, withRecord, withTalk } from "./room.js";

/** In so many of the last events, at most, one looks for what was said. */
const TALK = 100;

/** Events: "change" with the events that led to it; "refused" with the reason. */
export class Follower extends EventTarget {
  room = null;
  #connection;
  #name;
  /** As whom: another player has another seat, which no event tells. */
  #player = null;
  #catching = false;
  #closed = false;
  /** Whether the tables were asked for that the last snapshot left out. */
  #fetched = false;
  #talked = false;
  #onWelcome = () => this.catchUp();
  #onPush = ({ detail }) => this.#heard(detail);

  /** @param name the room's code, or its id */
  constructor(connection, name) {
    super();
    this.#connection = connection;
    this.#name = name;
    connection.addEventListener("welcome", this.#onWelcome);
    connection.addEventListener("push", this.#onPush);
  }

  /** Stops following, except that who plays is still here when they look at something else. */
  close() {
    this.#closed = true;
    this.#connection.removeEventListener("welcome", this.#onWelcome);
    this.#connection.removeEventListener("push", this.#onPush);
    const playing = this.room && this.room.you !== null && this.room.status !== "over";
    if (this.room && !playing) this.#connection.ask("unwatch", { room: this.room.room }).catch(() => {});
  }

  /** Takes a snapshot that came another way: with `paired`, or as the reply to `join`. */
  take(snapshot) {
    this.#name = snapshot.code;
    this.#player = this.#connection.welcome.player.id;
    this.#fetched = false;
    this.room = fromSnapshot(snapshot, this.room);
    this.#changed([]);
  }

  /** Watches, from where it was left if it was watched before. */
  async catchUp() {
    if (this.#catching || this.#closed) return;
    this.#catching = true;
    const known = this.#player === this.#connection.welcome?.player.id;
    const since = known && this.room && { epoch: this.room.epoch, seq: this.room.seq };
    let trouble = null;
    try {
      const asked = { room: this.room?.code ?? this.#name, ...(since && { since }) };
      const reply = await this.#connection.ask("watch", asked, { once: true });
      if (reply.type === "room") this.take(reply);
      else this.#apply(reply.events);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      trouble = error;
    } finally {
      this.#catching = false;
    }
    // A line that was lost asks again by itself, on the next one.
    if (trouble?.code === "lost") this.#retry();
    else if (trouble) this.dispatchEvent(new CustomEvent("refused", { detail: trouble }));
  }

  /** Fetches the tables that were not seen, so that one can step through all of them. */
  async fetchFrames() {
    if (this.#fetched) return;
    this.#fetched = true;
    try {
      const record = await this.#connection.ask("record", { room: this.room.code, round: this.room.round });
      this.room = withRecord(this.room, record);
      this.#changed([]);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#fetched = false;
    }
  }

  /**
   * Fetches what was said before this page was opened: a snapshot does not repeat it. Where so many
   * events are more than the hall sends at once, it answers with a snapshot: then half of them will do.
   */
  async fetchTalk() {
    if (this.#talked) return;
    this.#talked = true;
    try {
      for (let count = Math.min(TALK, this.room.seq); count >= 1; count = Math.floor(count / 2)) {
        const { code, epoch, seq } = this.room;
        const since = { epoch, seq: Math.max(0, seq - count) };
        const reply = await this.#connection.ask("watch", { room: code, since });
        if (this.#closed) return;
        if (reply.type === "events") {
          this.room = withTalk(this.room, reply.events);
          this.#changed([]);
          this.#apply(reply.events);
          return;
        }
        if (standing(this.room, reply) !== "old") this.take(reply);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  #retry() {
    if (this.#connection.state === "open") this.catchUp();
  }

  #heard(message) {
    if (!this.room) return;
    const seen = this.room.seq;
    if (message.type === "beat") {
      if (message.rooms[this.room.room] > seen) this.catchUp();
    } else if (message.room !== this.room.room) {
      return;
    } else if (message.type === "event") {
      this.#apply([message]);
    } else if (message.type === "presence") {
      this.room = withPresence(this.room, message);
      this.#changed([]);
    } else if (message.type === "room") {
      this.take(message);
    }
  }

  #apply(events) {
    const fresh = [];
    for (const event of events) {
      const where = standing(this.room, event);
      if (where === "gap") {
        this.catchUp();
        break;
      }
      if (where === "next") {
        this.room = afterEvent(this.room, event);
        fresh.push(event);
      }
    }
    if (fresh.length) this.#changed(fresh);
  }

  #changed(events) {
    this.dispatchEvent(new CustomEvent("change", { detail: events }));
  }
}
