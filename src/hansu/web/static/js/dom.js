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
