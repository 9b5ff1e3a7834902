// @ts-check
// The analysis board's variations: walk through them, say something about a position, tidy up.
import {askWhether} from "hansu/chooser.js";
import {el} from "hansu/dom.js";
import {signButton} from "hansu/icons.js";
import {Paths, listTree, markCurrent, moveButton} from "hansu/move_tree.js";
import {t} from "hansu/words.js";

const PAUSE = 700; // milliseconds without a key after which a comment is sent

/**
 * @typedef {import("hansu/move_tree.js").Tree & {numbers: number[], played: string[]}} Told
 */

export class Study {
  /** @param {import("hansu/game.js").Game} game */
  constructor(game) {
    this.game = game;
    this.paths = new Paths({names: [""], parents: [0], main: 1, comments: {}});
    this.numbers = [0]; // by which the server knows the places
    /** @type {HTMLElement[]} */
    this.items = [];
    this.node = 0; // the number of the position on the board
    this.list = el("ol", {class: "moves tree", tabindex: 0, "aria-label": t("moves")});
    this.text = el("textarea", {id: "comment", rows: 1, maxlength: 20_000,
      oninput: () => this.typed(), onchange: () => this.send()});
    const step = (/** @type {string} */ key, /** @type {import("hansu/icons.js").Sign} */ sign,
      /** @type {() => number | undefined} */ to) => signButton(t(key), sign, () => this.go(to()));
    this.stepping = el("div", {class: "stepping", role: "toolbar", "aria-label": t("controls")},
      step("replay.first", "first", () => 0),
      step("replay.back", "back", () => this.paths.tree.parents[this.place]),
      step("replay.forward", "forward", () => this.paths.forward(this.place)),
      step("replay.last", "last", () => this.paths.last(this.place)),
      this.other = step("study.other", "beside", () => this.paths.beside(this.place, 1)));
    this.promote = el("button", {id: "promote", onclick: () => this.say("promote")},
      t("study.promote"));
    this.remove = el("button", {id: "remove", onclick: () => this.drop()}, t("study.remove"));
    this.kept = el("p", {class: "soft"});
    this.about = el("details", {class: "study-help"}, el("summary", null, t("study.help")),
      el("p", {class: "soft"}, t("study.keys")), this.kept);
    this.tools = el("div", {class: "study"},
      el("div", {class: "controls"}, this.promote, this.remove),
      el("label", {class: "field"}, el("span", null, t("study.comment")), this.text), this.about);
    this.root = el("div", {class: "study"}, this.list, this.tools);
    this.shown = 0; // the number of the position whose comment stands in the field
    /** @type {number | null} */
    this.typing = null; // the position whose comment is being written
  }

  /** Whether there is something that not every file can hold. */
  get annotated() {
    const {tree} = this.paths;
    return tree.names.length > tree.main || Object.keys(tree.comments).length > 0;
  }

  get place() { return Math.max(0, this.numbers.indexOf(this.node)); }

  /**
   * The tree has changed.
   * @param {Told} told
   */
  take(told) {
    this.numbers = told.numbers;
    this.paths = new Paths(told);
    /** @type {HTMLElement[]} */
    const items = this.items = [];
    this.list.replaceChildren(...listTree(this.paths, (place) => {
      items[place] = el("li", {"data-move": place ? told.played[place] : null,
        class: place ? null : "start"}, moveButton(this.paths, place, () => this.go(place)));
      return items[place];
    }));
    this.mark();
  }

  /** @param {{node?: number, name: string}} state */
  follow({node = 0, name}) {
    if (this.typing !== null && this.typing !== node) this.send();
    this.node = node;
    const {offer, may} = this.game;
    const formats = offer.games.find((game) => game.name === name)?.formats ?? [];
    this.kept.textContent = [t("study.kept", {formats: formats
      .filter((format) => offer.variations.includes(format)).map((format) => t(`format.${format}`))
      .join(", ")}), offer.library ? t("study.kept.library") : ""].join(" ");
    this.tools.hidden = !may;
    this.mark();
  }

  mark() {
    const {place, paths} = this;
    markCurrent(this.list, this.items[place]);
    const isWritten = document.activeElement === this.text && this.shown === this.node;
    if (!isWritten) this.text.value = paths.tree.comments[place] ?? "";
    this.shown = this.node;
    this.other.disabled = paths.siblings(place).length < 2;
    this.promote.disabled = place < paths.tree.main;
    this.remove.disabled = !place;
  }

  /** @param {number | undefined} place */
  go(place) {
    const {game, paths} = this;
    if (place === undefined || place === this.place) return;
    if (game.may) game.line.say({type: "go", node: this.numbers[place]});
    else if (paths.to(this.place).includes(place) || !place) game.browse(paths.depth[place]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    this.go(this.paths.byKey(event, this.place));
  }

  /** @param {"promote" | "remove"} type */
  say(type) { this.game.line.say({type, node: this.node}); }

  // A move without anything after it goes at once; more is asked about.
  drop() {
    if (!this.paths.children[this.place].length) this.say("remove");
    else askWhether(t("study.remove.sure"), t("study.remove"), () => this.say("remove"));
  }

  typed() {
    this.typing ??= this.node;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), PAUSE);
  }

  // Send what was written, to the position it was written about.
  send() {
    clearTimeout(this.timer);
    if (this.typing === null) return;
    const [node, text] = [this.typing, this.text.value];
    this.typing = null;
    this.paths.tree.comments[this.numbers.indexOf(node)] = text; // until the server has told it
    this.game.line.say({type: "comment", node, text});
  }
}
