// @ts-check
// Setting a position up by hand: choose a piece and click, or drag; the server says whether it is legal.
import {piecePicture} from "hansu/chooser.js";
import {complain, el} from "hansu/dom.js";
import {colorName, showPicture} from "hansu/result.js";
import {ask, messageOf} from "hansu/server.js";
import {t} from "hansu/words.js";

const NOTHING = "";

/**
 * @typedef {{svg: string, turn: string, position: string, over: boolean, counts: boolean}} Legal
 * @typedef {SVGGraphicsElement & {dataset: DOMStringMap}} Cell
 */

export class BoardEditor {
  /**
   * @param {import("hansu/picker.js").GameOffer} game
   * @param {() => Record<string, unknown>} rules
   * @param {HTMLTextAreaElement} text where a legal position is written
   */
  constructor(game, rules, text) {
    this.game = game;
    this.rules = rules;
    this.text = text;
    this.piece = game.pieces[0] ?? NOTHING;
    /** @type {string[][]} */
    this.rows = [];
    /** @type {string[][]} */
    this.legal = []; // what the picture shows
    /** @type {Cell[]} */
    this.cells = [];
    this.asked = 0;
    /** @type {number | null} */
    this.from = null; // the cell where a drag began
    this.board = el("div", {class: "board editor",
      onpointerdown: (/** @type {PointerEvent} */ event) => this.press(event),
      onpointerup: (/** @type {PointerEvent} */ event) => this.release(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event)});
    this.turn = el("select", {id: "editor-turn", onchange: () => this.ask()},
      ["white", "black"].map((color) => el("option", {value: color}, colorName(color, game.name))));
    this.side = el("label", {class: "field"}, el("span", null, t("editor.turn")), this.turn);
    this.told = el("p", {class: "soft", role: "status"});
    this.palette = el("div", {class: "choices", role: "group", "aria-label": t("editor.pieces")});
    this.root = el("details", {class: "editing", "data-game": game.name, ontoggle: () => {
      if (this.root.open && !this.rows.length) this.load(text.value);
    }}, el("summary", null, t("editor.title")), el("p", {class: "soft"}, t("editor.about")),
    this.palette, this.board, this.told, el("div", {class: "row"}, this.side,
      el("div", {class: "choices"},
        el("button", {type: "button", onclick: () => this.clear()}, t("editor.clear")),
        el("button", {type: "button", onclick: () => this.load("")}, t("editor.start")))));
    this.showPalette();
  }

  showPalette() {
    const choice = (/** @type {string} */ piece, /** @type {string} */ name,
      /** @type {Node | null} */ picture = null) =>
      el("button", {type: "button", class: picture ? "piece" : null, title: name,
        "aria-pressed": piece === this.piece, onclick: () => {
          this.piece = piece;
          this.showPalette();
        }}, picture ?? name);
    const focused = [...this.palette.children].indexOf(/** @type {Element} */ (document.activeElement));
    this.palette.replaceChildren(
      ...this.game.pieces.map((piece) => choice(piece, t(`piece.${piece}`),
        el("img", {src: piecePicture(this.game.name, piece), alt: t(`piece.${piece}`),
          width: 36, height: 36}))),
      choice(NOTHING, t("editor.remove")));
    /** @type {HTMLElement | undefined} */ (this.palette.children[focused])?.focus();
  }

  // What the server says --------------------------------------------------------------------------

  /** @param {string} position as text; none is the usual start */
  async load(position) {
    try {
      this.show(await ask("/api/set_up",
        {game: this.game.name, rules: this.rules(), position}), position !== "");
    } catch (error) { complain(messageOf(error)); }
  }

  async ask() {
    const asked = ++this.asked;
    try {
      const found = await ask("/api/set_up", {game: this.game.name, rules: this.rules(),
        rows: this.rows, turn: this.turn.value});
      if (asked === this.asked) this.show(found, true);
    } catch (error) {
      if (asked !== this.asked) return;
      this.told.textContent = messageOf(error);
      this.told.className = "bad";
      this.mark();
    }
  }

  /** @param {Legal} found @param {boolean} write */
  show({svg, turn, position, over, counts}, write) {
    const focused = this.cells.indexOf(/** @type {any} */ (document.activeElement));
    showPicture(this.board, svg);
    this.cells = [...this.board.querySelectorAll("[data-cell]")].map((cell) =>
      /** @type {Cell} */ (cell));
    this.rows = rowsOf(this.cells);
    this.legal = this.rows.map((row) => [...row]);
    this.turn.value = turn;
    this.side.hidden = counts;
    this.told.className = "soft";
    this.told.textContent = t(over ? "editor.over" : "editor.legal");
    if (write) this.text.value = position;
    const tile = this.cells[Math.max(0, focused)];
    this.cells.forEach((cell, at) => {
      cell.setAttribute("tabindex", cell === tile ? "0" : "-1");
      cell.setAttribute("aria-label", this.describe(at));
    });
    if (focused >= 0) tile.focus();
  }

  // What is changed and not legal yet.
  mark() {
    const picture = this.board.querySelector("svg");
    picture?.querySelector(".changes")?.remove();
    const changed = this.cells.map((cell, at) => ({cell, now: this.at(at), was: this.at(at, this.legal)}))
      .filter(({now, was}) => now !== was);
    picture?.append(el("g", {class: "changes"}, changed.map(({cell, now}) => {
      const {x, y, width, height} = cell.getBBox();
      const [cx, cy, r] = [x + width / 2, y + height / 2, 0.36 * Math.min(width, height)];
      if (!now) {
        return el("path", {class: "removed",
          d: `M${cx - r},${cy - r}L${cx + r},${cy + r}M${cx - r},${cy + r}L${cx + r},${cy - r}`});
      }
      const side = 2.4 * r;
      return el("g", null, el("circle", {class: "added", cx, cy, r: 1.2 * r}),
        el("image", {href: piecePicture(this.game.name, now), x: cx - side / 2, y: cy - side / 2,
          width: side, height: side}));
    })));
    this.cells.forEach((cell, at) => cell.setAttribute("aria-label", this.describe(at)));
  }

  /** @param {number} at */
  describe(at) {
    return `${this.cells[at].dataset.cell} ${t(`piece.${this.at(at) || "none"}`)}`;
  }

  // What the visitor does -------------------------------------------------------------------------

  /** @param {number} at @param {string[][]} [rows] */
  at(at, rows = this.rows) {
    const width = rows[0].length;
    return rows[Math.floor(at / width)][at % width];
  }

  /** @param {number} at @param {string} piece */
  put(at, piece) {
    const width = this.rows[0].length;
    this.rows[Math.floor(at / width)][at % width] = piece;
  }

  clear() {
    if (!this.rows.length) return;
    this.rows = this.rows.map((row) => row.map(() => NOTHING));
    this.ask();
  }

  /** @param {number} at the chosen piece comes, or goes if it is there */
  touch(at) {
    this.put(at, this.at(at) === this.piece ? NOTHING : this.piece);
    this.ask();
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.from = this.cellAt(event);
    if (this.from !== null) event.preventDefault();
  }

  /** @param {PointerEvent} event */
  release(event) {
    const [from, to] = [this.from, this.cellAt(event)];
    this.from = null;
    if (from === null || to === null) return;
    if (from === to) this.touch(to);
    else if (this.at(from)) {
      this.put(to, this.at(from));
      this.put(from, NOTHING);
      this.ask();
    }
  }

  /** @param {PointerEvent} event */
  cellAt(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    const at = this.cells.indexOf(/** @type {any} */ (found));
    return at < 0 ? null : at;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = this.cells.indexOf(/** @type {any} */ (event.target));
    if (at < 0) return;
    const width = this.rows[0].length;
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width}[event.key];
    if (event.key === "Enter" || event.key === " ") this.touch(at);
    else if (step && this.cells[at + step]) {
      this.cells[at].setAttribute("tabindex", "-1");
      this.cells[at + step].setAttribute("tabindex", "0");
      this.cells[at + step].focus();
    } else return;
    event.preventDefault();
  }
}

/**
 * What stands on the cells, row by row: those of a row are drawn at one height.
 * @param {Cell[]} cells
 */
function rowsOf(cells) {
  /** @type {string[][]} */
  const rows = [];
  let height = NaN;
  for (const cell of cells) {
    const {y} = cell.getBBox();
    if (!(Math.abs(y - height) < 1)) rows.push([]);
    height = y;
    rows[rows.length - 1].push(cell.dataset.piece ?? NOTHING);
  }
  return rows;
}
