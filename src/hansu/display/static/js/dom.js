// @ts-check
// Elements from text nodes only: nothing that a move or an agent is called can become markup.

const SVG = new Set(["svg", "g", "line", "circle", "rect", "path", "polyline", "polygon", "text",
  "image"]);

/**
 * @typedef {Node | string | null | undefined} Child
 * @typedef {Record<string, any>} Attributes
 */

/**
 * Make an element. An attribute that is null, undefined or false is left out, one that starts with
 * "on" is a listener.
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Attributes | null} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : SVGElement}
 */
export function el(tag, attributes, ...children) {
  const space = SVG.has(tag) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
  const made = document.createElementNS(space, tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean" && key.startsWith("aria-")) {
      made.setAttribute(key, String(value)); // where no attribute would mean something else
    } else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value);
    }
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) made.append(child);
  return /** @type {any} */ (made);
}

/**
 * The element that is there for a selector.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any}
 */
export const $ = (selector, root = document) => root.querySelector(selector);

/**
 * A bar whose length is a share of its cell, with a text on it.
 * @param {number} share from 0 to 1
 * @param {string} text
 * @param {string} kind
 */
export function bar(share, text, kind) {
  const fill = el("i", {class: kind});
  fill.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  return el("div", {class: "bar"}, fill, el("span", null, text));
}

// What this browser keeps for next time, where it may.
export const kept = {
  /** @param {string} name */
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  /** @param {string} name @param {string} value */
  set(name, value) { try { localStorage.setItem(name, value); } catch { /* not kept */ } },
};

/**
 * Announce something once, politely, to screen readers.
 * @param {string} text
 */
export function announce(text) { $("#news").textContent = text; }

/** @param {string} text */
export function complain(text) {
  const toast = el("div", {class: "toast"}, text);
  $("#toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 7000);
}

/** What was complained about is over: something has succeeded since. */
export function settle() { $("#toasts")?.replaceChildren(); }

/**
 * Replace the content; the focus stays on the element with the same id or link.
 * @param {Element} root
 * @param {...(Node | string)} children
 */
export function refill(root, ...children) {
  const at = root.contains(document.activeElement) ? document.activeElement : null;
  const [id, href] = [at?.id, at?.getAttribute("href")];
  const scrolled = [...root.querySelectorAll(".games")].map((list) => list.scrollTop);
  root.replaceChildren(...children);
  root.querySelectorAll(".games").forEach((list, i) => { list.scrollTop = scrolled[i] ?? 0; });
  const same = (id && document.getElementById(id))
    || (href && root.querySelector(`a[href="${CSS.escape(href)}"]`));
  if (same instanceof HTMLElement) same.focus({preventScroll: true});
}
