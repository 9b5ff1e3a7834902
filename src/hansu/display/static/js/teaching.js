// @ts-check
// A teaching game: how much help there is, and a warning before a bad move is final.
import {el, kept} from "hansu/dom.js";
import {moveText} from "hansu/result.js";
import {number, percent, t} from "hansu/words.js";

const LEVELS = {none: "teaching.none", blunders: "teaching.blunders",
  mistakes: "teaching.mistakes", everything: "teaching.everything"};
const SIZES = /** @type {Record<string, string>} */ ({blunder: "review.blunder",
  mistake: "review.mistake", inaccuracy: "review.inaccuracy"});

/** Where the game is set up: of which moves to be warned. */
export function helpField() {
  const chosen = kept.get("help") || "none";
  return el("label", {class: "field"}, el("span", null, t("teaching.help")),
    el("select", {name: "help", onchange: (/** @type {Event} */ event) =>
      kept.set("help", /** @type {HTMLSelectElement} */ (event.target).value)},
    Object.entries(LEVELS).map(([level, key]) =>
      el("option", {value: level, selected: level === chosen}, t(key)))));
}

export class Teaching {
  /** @param {(wish: import("hansu/server.js").Message) => void} say */
  constructor(say) {
    this.say = say;
    this.root = el("p", {class: "teaching soft", hidden: true});
    /** @type {HTMLDialogElement | null} */
    this.dialog = null;
  }

  close() { this.dialog?.close(); }

  /** @param {{help?: string, taken_back?: number}} state */
  show({help = "none", taken_back: back = 0}) {
    this.root.hidden = help === "none" && !back;
    this.root.textContent = [help === "none" ? "" : t(LEVELS[/** @type {"none"} */ (help)]),
      back ? t("teaching.taken_back", {count: number(back)}) : ""]
      .filter(Boolean).join(" · ");
  }

  /**
   * A move is not final yet: think again, see a better one, or play it all the same.
   * @param {{move: string, size: string, before: number, after: number, better: string[]}} warning
   */
  warn({move, size, before, after, better}) {
    this.close();
    const act = (/** @type {string} */ key, /** @type {() => void} */ then, kind = "") =>
      el("button", {class: kind, onclick: () => { dialog.close(); then(); }}, t(key));
    const shown = el("p", {hidden: true}, t("review.better", {move: moveText(better[0] ?? "")}));
    const reveal = el("button", {onclick: () => { shown.hidden = false; reveal.hidden = true; }},
      t("teaching.reveal"));
    const dialog = this.dialog = el("dialog", {class: "warning", "aria-labelledby": "warning",
      onclose: () => dialog.remove()},
    el("h2", {id: "warning"}, t("teaching.sure", {move: moveText(move), size: t(SIZES[size])})),
    el("p", null, t("teaching.change", {before: percent(before), after: percent(after)})), shown,
    el("div", {class: "choices"}, act("teaching.again", () => {}, "main"),
      better.length ? reveal : null,
      act("teaching.anyway", () => this.say({type: "move", move, sure: true}))));
    document.body.append(dialog);
    dialog.showModal();
  }
}
