// What this browser remembers: the token that makes it the same player again, and a few wishes.
// Where it may not remember anything, it does so until the page is closed.

const PREFIX = "towerhall.";
const unwritten = new Map();

export function recall(name) {
  try {
    return localStorage.getItem(PREFIX + name) ?? unwritten.get(name) ?? null;
  } catch {
    return unwritten.get(name) ?? null;
  }
}

export function remember(name, value) {
  unwritten.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // A private window, or a full disk.
  }
}

export function forget(name) {
  unwritten.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // As above.
  }
}

/** Calls back when another tab has written something else. */
export function onWritten(name, act) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== PREFIX + name || newValue === null) return;
    unwritten.delete(name);
    act();
  });
}

/** A key that makes a request safe to send again. */
export function freshKey() {
  // Not crypto.randomUUID: a hall at home is plain http, where browsers do not offer it.
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
