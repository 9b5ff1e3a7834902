// @ts-check
// The moves of a game in progress, as buttons to look at earlier positions.
import {el} from "hansu/dom.js";
import {moveText} from "hansu/result.js";
import {t} from "hansu/words.js";

export class MoveList {
  /** @param {(turn: number) => void} go is told after how many turns to show the board */
  constructor(go) {
    this.go = go;
    /** @type {string[]} */
    this.moves = [];
    this.root = el("ol", {class: "moves", tabindex: 0, "aria-label": t("moves")});
  }

  /**
   * @param {{name: string, played: string[], names: string[], first: string}} game
   * @param {number} at the turn that is shown
   */
  show({name, played, names, first}, at) {
    let same = 0;
    while (same < played.length && played[same] === this.moves[same]) same += 1;
    while (this.root.children.length > same) this.root.lastElementChild?.remove();
    for (let i = same; i < played.length; i += 1) {
      this.root.append(el("li", {"data-move": played[i],
        class: (i % 2 === 0) === (first === "white") ? "white" : "black"},
      el("button", {type: "button", onclick: () => this.go(i + 1)},
        el("span", {class: "no"}, `${i + 1}`), el("span", {class: "move"}, moveText(names[i])))));
    }
    if (!played.length) {
      this.root.append(el("li", {class: "about"}, t(`about.${name}`), " ",
        el("a", {href: `#/rules/${name}`}, t("rules.title"))));
    }
    this.moves = played;
    this.root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = /** @type {HTMLElement | undefined} */ (this.root.children[at - 1]);
    current?.setAttribute("aria-current", "step");
    requestAnimationFrame(() => this.scrollTo(current)); // with the layout of the whole page
  }

  /** @param {HTMLElement | undefined} current */
  scrollTo(current) {
    const {root} = this;
    root.scrollTop = current ? current.offsetTop - root.offsetTop - root.clientHeight / 2 : 0;
  }
}

/**
 * The turn that a key leads to while one looks through a game: arrows, Home, End.
 * @param {KeyboardEvent} event
 * @param {number} now
 * @param {number} last
 */
export function turnByKey(event, now, last) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser's
  const at = event.target instanceof Element ? event.target : document.body;
  if (at.closest("input:not([type=checkbox]), textarea, select, dialog, [data-cell]")) return;
  const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last}[event.key];
  if (to !== undefined) event.preventDefault();
  return to;
}
