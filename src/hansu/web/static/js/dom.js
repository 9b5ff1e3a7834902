// The element maker is the viewer's, which must also work alone, in a single file.
import {el} from "../viewer/element.js";

export {el};

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

// Show something else where somebody may be: the focus stays on what is called the same.
export function refill(root, ...children) {
  const at = root.contains(document.activeElement) ? document.activeElement : null;
  const [id, href] = [at?.id, at?.getAttribute("href")];
  const scrolled = [...root.querySelectorAll(".games")].map((list) => list.scrollTop);
  root.replaceChildren(...children);
  root.querySelectorAll(".games").forEach((list, i) => { list.scrollTop = scrolled[i] ?? 0; });
  const same = (id && document.getElementById(id))
    || (href && root.querySelector(`a[href="${CSS.escape(href)}"]`));
  same?.focus({preventScroll: true});
}
