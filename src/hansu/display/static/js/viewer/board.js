// @ts-check
// The board, and the way from the searched position to what it shows, to be walked along.
import {el} from "hansu/dom.js";
import {signButton} from "hansu/icons.js";
import {colorName, showPicture} from "hansu/result.js";
import {t} from "hansu/words.js";

const KEPT = 300;  // pictures

/** @typedef {import("hansu/viewer/viewer.js").Info} Info */
/** @typedef {import("hansu/viewer/viewer.js").Source} Source */

export class Board {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    /** @type {string[]} */
    this.walk = [];
    this.ply = 0;
    this.turn = "white";
    this.game = "";
    /** @type {Map<string, string | null>} */
    this.pictures = new Map();
    this.picture = el("div", {class: "sv-board"});
    /** @type {HTMLElement[]} */
    this.mirrors = [];  // small copies, where the board itself may be out of sight
    this.caption = el("p", {class: "sv-caption", "aria-live": "polite"});
    this.chips = el("ol", {class: "sv-walk", "aria-label": t("viewer.walk")});
    const step = (/** @type {string} */ key, /** @type {import("hansu/icons.js").Sign} */ sign,
      /** @type {() => number} */ to) =>
      signButton(t(`viewer.${key}`), sign, () => this.go(to()));
    this.controls = el("div", {class: "sv-controls", role: "group"},
      step("walk.first", "first", () => 0), step("walk.back", "back", () => this.ply - 1),
      step("walk.on", "forward", () => this.ply + 1), step("walk.last", "last", () => this.walk.length));
    this.root = el("section", {class: "sv-card sv-place", "aria-label": t("viewer.board")},
      this.picture, this.controls, this.caption, this.chips);
  }

  /** @param {Info} info */
  show(info) {
    this.turn = info.turn;
    this.game = gameOf(info);
    this.pictures.clear();
    this.go(this.ply);
  }

  /**
   * Walk along some moves, standing after the first few of them.
   * @param {string[]} walk
   * @param {number} ply
   */
  async follow(walk, ply) {
    this.walk = walk;
    await this.go(ply);
  }

  /** @param {number} ply */
  async go(ply) {
    this.ply = Math.max(0, Math.min(this.walk.length, ply));
    this.draw();
    const moves = this.walk.slice(0, this.ply);
    const picture = await this.ask(moves);
    if (moves.length !== this.ply || moves.some((move, i) => move !== this.walk[i])) return;
    for (const place of [this.picture, ...this.mirrors]) {
      if (picture) showPicture(place, picture);
      else place.replaceChildren(el("p", {class: "sv-note"}, t("viewer.board.absent")));
    }
  }

  mirror() {
    const made = el("div", {class: "sv-board sv-mirror", "aria-hidden": "true"});
    this.mirrors.push(made);
    return made;
  }

  /** @param {string[]} moves */
  async ask(moves) {
    const key = moves.join("\n");
    if (!this.pictures.has(key)) {
      if (this.pictures.size >= KEPT) this.pictures.delete([...this.pictures.keys()][0]);
      this.pictures.set(key, await this.source.board(moves));
    }
    return this.pictures.get(key);
  }

  draw() {
    const {walk, ply} = this;
    const other = this.turn === "white" ? "black" : "white";
    const who = colorName(ply % 2 ? other : this.turn, this.game);
    this.caption.textContent = (ply ? t("viewer.board.after", {moves: walk.slice(0, ply).join(" ")})
      : t("viewer.board.root")) + " · " + t("viewer.board.to_move", {who});
    this.chips.replaceChildren(...[t("viewer.walk.start"), ...walk].map((text, i) => el("li", null,
      el("button", {type: "button", "aria-current": i === ply ? "step" : null,
        onclick: () => this.go(i)}, text))));
    const [first, back, on, last] = this.controls.querySelectorAll("button");
    first.disabled = back.disabled = ply === 0;
    on.disabled = last.disabled = ply === walk.length;
  }
}

/**
 * The name of a game without its rules.
 * @param {Info} info
 */
export const gameOf = (info) => info.game.split(":")[0];
