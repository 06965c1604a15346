// Two short tones, made here: no file to load. Off and on are remembered.

import { recall, remember } from "./memory.js";

const TONES = {
  turn: [[660, 0, 0.09]],
  end: [
    [520, 0, 0.12],
    [392, 0.13, 0.2],
  ],
};
let audio = null;

export const isOn = () => recall("sound") !== "off";

export function toggle() {
  remember("sound", isOn() ? "off" : "on");
  if (isOn()) play("turn");
}

/** Browsers let a page sound only after a person has touched it. */
export function allow() {
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { passive: true });
}

export function play(name) {
  if (!audio || audio.state !== "running" || !isOn()) return;
  for (const [pitch, after, length] of TONES[name]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + after;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.12, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length + 0.02);
  }
}

function wake() {
  audio ??= window.AudioContext ? new AudioContext() : null;
  if (audio?.state === "suspended") audio.resume();
}
