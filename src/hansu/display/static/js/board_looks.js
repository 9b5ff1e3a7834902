// @ts-check
// How boards and pieces look: chosen in a menu at the top, kept by the browser.
import {$, el, kept} from "hansu/dom.js";
import {icon} from "hansu/icons.js";
import {t} from "hansu/words.js";

const LOOKS = {board: ["classic", "cool", "dark", "contrast"], pieces: ["classic", "modern"]};

/** The menu of how boards and pieces look. */
export function showBoardLooks() {
  const menu = $("#board-looks");
  const root = document.documentElement;
  const field = (/** @type {string} */ name, /** @type {string[]} */ choices) =>
    el("label", {class: "field"}, el("span", null, t(`looks.${name}`)),
      el("select", {id: `look-${name}`, onchange: (/** @type {Event} */ event) => {
        root.dataset[name] = /** @type {HTMLSelectElement} */ (event.target).value;
        kept.set(name, root.dataset[name] ?? "");
      }}, choices.map((choice) => el("option",
        {value: choice, selected: root.dataset[name] === choice}, t(`looks.${name}.${choice}`)))));
  menu.replaceChildren(
    el("summary", {class: "quiet button", title: t("looks"), "aria-label": t("looks")}, icon("looks")),
    el("div", {class: "list"}, Object.entries(LOOKS).map(([name, choices]) => field(name, choices))));
}
