// Elements from text nodes only: nothing that an agent or a file is called can become markup.
const SVG = new Set(["svg", "g", "line", "circle", "rect", "path", "polygon", "polyline", "text",
  "title"]);

export function el(tag, attributes, ...children) {
  const space = SVG.has(tag) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
  const made = document.createElementNS(space, tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export const $ = (selector, root = document) => root.querySelector(selector);

// What this browser keeps for next time; nothing breaks where it may not.
export const kept = {
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(name, value); } catch { /* not kept */ } },
};

// For people who hear the page: said once, politely.
export function announce(text) { $("#news").textContent = text; }

export function complain(text) {
  const toast = el("div", {class: "toast"}, text);
  $("#toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 7000);
}
