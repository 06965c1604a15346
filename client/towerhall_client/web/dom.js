// Elements. Text only ever becomes text nodes: nothing that comes over the wire is read as HTML.

/**
 * Makes an element: h("button", {class: "main", onclick: play}, "Play").
 * @param {string} tag
 * @param {Object<string, any>} [props] attributes; functions are listeners; false and null are left out
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** Puts these children in the place of all there were. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/** Sets the text, and leaves the node alone where it is the same: screen readers notice changes. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Makes `parent`'s children match `items`, keeping the nodes of those that stay, and with them the
 * focus of whoever is on one.
 */
export function match(parent, items, keyOf, make, update) {
  const kept = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let node = kept.get(key);
    kept.delete(key);
    if (!node) {
      node = make(item);
      node.dataset.key = key;
    }
    update?.(node, item);
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
  for (const node of kept.values()) node.remove();
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
