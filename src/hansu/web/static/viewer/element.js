// Elements from text nodes only: nothing that a move or an agent is called can become markup.
const SVG = new Set(["svg", "g", "line", "circle", "rect", "path", "polyline", "polygon", "text",
  "title"]);

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
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

// A bar whose length is a share of its cell, with a word on it.
export function bar(share, words, kind) {
  const fill = el("i", {class: kind});
  fill.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  return el("div", {class: "sv-bar"}, fill, el("span", null, words));
}

export function button(words, sign, onclick, more) {
  return el("button", {type: "button", title: words, "aria-label": words, onclick, ...more}, sign);
}
