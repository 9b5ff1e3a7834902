// @ts-check
// An interactive board. The server draws it with a grid of named cells on top; mouse, touch,
// dragging and keys all touch one cell after another until that is a move.
import {Annotations} from "hansu/annotations.js";
import {choosePiece} from "hansu/chooser.js";
import {announce, el} from "hansu/dom.js";
import {cellAt, nameOf, pointer, written} from "hansu/marks.js";
import {compare, move as movePieces, piecesOf} from "hansu/motion.js";
import {showPicture} from "hansu/result.js";
import {t} from "hansu/words.js";

const MANY = 30; // cells to play on: where more can be played, marks would only be in the way
const DRAG = 5; // pixels before a touch is a drag

/**
 * @typedef {object} Move
 * @property {string} text
 * @property {string[]} cells to touch for it
 * @property {string} [piece] that it chooses, by name
 *
 * @typedef {import("hansu/marks.js").Box} Box
 * @typedef {((name: string) => string) | null} Note
 *
 * @typedef {object} Press a button or finger that is down
 * @property {string} name of the cell
 * @property {number} x
 * @property {number} y
 * @property {boolean} drag
 * @property {boolean} was whether the cell had been touched before
 * @property {Element | null} [piece] that is dragged
 */

export class Board {
  /** @param {(move: string) => void} play is told the text of a move */
  constructor(play) {
    this.play = play;
    /** @type {Move[]} */
    this.moves = [];
    /** @type {Move[]} */
    this.all = []; // also those of the side that is not to be played, to point them out
    /** @type {Note} */
    this.note = null;
    this.planning = false; // moves are thought of ahead: nothing can be played now
    this.game = ""; // whose pieces are chosen from
    /** @type {string[]} */
    this.planned = []; // cells of a move that has been thought of
    /** @type {[string, number, string?][]} */
    this.pointed = [];
    /** @type {string | null} */
    this.dropped = null; // where a piece has just been put by hand
    /** @type {import("hansu/motion.js").Changes} */
    this.changes = {came: [], went: [], turned: []}; // since the picture before
    /** @type {string[]} */
    this.touched = []; // cells of the move so far
    /** @type {number | null} */
    this.focused = null;
    /** @type {SVGGraphicsElement[]} */
    this.cells = [];
    /** @type {Map<string, SVGGraphicsElement[]>} */
    this.named = new Map();
    this.columns = 1;
    /** @type {Press | null} */
    this.down = null;
    this.picture = /** @type {SVGSVGElement} */ (el("svg"));
    this.marks = el("g");
    this.arrows = el("g");
    this.root = el("div", {class: "board"});
    this.annotations = new Annotations(this);
    this.root.addEventListener("pointerdown", (event) => this.press(event));
    this.root.addEventListener("pointermove", (event) => this.drag(event));
    this.root.addEventListener("pointerup", (event) => this.release(event));
    this.root.addEventListener("pointercancel", () => this.lay());
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("focusin", (event) => this.focusOn(event.target));
  }

  // Drawing ---------------------------------------------------------------------------------------

  /**
   * @param {string} svg
   * @param {Move[]} moves
   * @param {boolean} active whether they can be played
   * @param {Note} [note] says of a cell what cannot be seen; without it, whether it can be played
   */
  show(svg, moves, active, note = null) {
    const hadFocus = this.root.contains(document.activeElement);
    const [before, corner] = [piecesOf(this.root), this.cells[0]?.dataset.cell];
    this.down = null;
    this.moves = active ? moves : [];
    this.all = moves;
    this.note = note;
    this.planning = false;
    this.touched = [];
    showPicture(this.root, svg);
    this.picture = /** @type {SVGSVGElement} */ (this.root.firstElementChild);
    const grid = /** @type {SVGElement} */ (this.picture.querySelector("[role=grid]"));
    this.cells = [.../** @type {NodeListOf<SVGGraphicsElement>} */ (
      grid.querySelectorAll("[data-cell]"))];
    this.named = new Map();
    for (const cell of this.cells) {
      this.named.set(nameOf(cell), [...this.named.get(nameOf(cell)) ?? [], cell]);
    }
    this.columns = grid.firstElementChild?.children.length ?? 1;
    grid.setAttribute("aria-label", t("board"));
    for (const cell of this.cells) cell.tabIndex = -1;
    this.marks = el("g", {class: "marks"});
    this.arrows = el("g", {class: "arrows"});
    this.picture.insertBefore(this.marks, grid);
    this.picture.insertBefore(this.arrows, grid);
    this.annotations.layOn(this.picture, grid);
    const place = Math.min(this.focused ?? 0, this.cells.length - 1);
    this.cells[place].tabIndex = 0;
    this.root.classList.toggle("movable", this.moves.some((move) => move.cells.length > 1));
    this.mark();
    if (hadFocus) this.cells[place].focus({preventScroll: true}); // which lays everything out
    this.point(this.pointed);
    const after = piecesOf(this.picture);
    this.changes = compare(before, after);
    const same = corner === this.cells[0]?.dataset.cell; // else it has been turned round
    if (same) movePieces(this.picture, before, after, this.changes, this.dropped);
    this.dropped = null;
  }

  /**
   * Let a move be thought of ahead.
   * @param {Move[]} moves
   * @param {Move[]} all that can be pointed out
   */
  plan(moves, all) {
    Object.assign(this, {moves, all, planning: true, note: () => ""});
    this.root.classList.toggle("movable", moves.some((move) => move.cells.length > 1));
    this.mark();
  }

  // Where moves can begin, or go on from what has been touched.
  mark() {
    const going = this.going().map((move) => move.cells[this.touched.length]);
    const opened = new Set(going);
    const next = new Set(going.map((name) => this.landing(name)));
    const begun = this.touched.length > 0;
    const single = this.moves.every((move) => move.cells.length === 1);
    const many = next.size > MANY;
    this.marks.replaceChildren();
    for (const [i, cell] of this.cells.entries()) {
      const name = nameOf(cell);
      const open = opened.has(name);
      const chosen = this.touched.includes(name);
      cell.classList.toggle(this.planning ? "ahead" : "open", open || (begun && this.starts(name)));
      cell.setAttribute("aria-selected", String(chosen));
      cell.setAttribute("aria-label", this.describe(cell, i, open));
      if (chosen) this.marks.append(this.square(cell, "chosen"));
      if (this.planned.includes(name)) this.marks.append(this.square(cell, "planned"));
      if (next.has(cell) && (begun || single) && !many && !this.note) this.marks.append(this.dot(cell));
    }
  }

  /** @param {SVGGraphicsElement} cell @param {number} i @param {boolean} open */
  describe(cell, i, open) {
    const [name, {piece}] = [nameOf(cell), cell.dataset];
    const what = piece ? t(`piece.${piece}`) : t("piece.none");
    const row = Math.floor(i / this.columns) + 1;
    const shared = (this.named.get(name)?.length ?? 0) > 1;
    const place = shared ? t("cell.column", {name, row}) : name;
    return [place, what, this.note ? this.note(name)
      : open ? t("cell.open") : ""].filter(Boolean).join(", ");
  }

  /**
   * Where a cell is, from its attributes: to ask the browser costs a layout each time.
   * @param {Element} cell a rectangle, or a polygon
   * @returns {Box}
   */
  box(cell) {
    const corners = (cell.getAttribute("points") ?? "").split(" ").map((at) => at.split(",").map(Number));
    const [xs, ys] = [0, 1].map((i) => corners.map((corner) => corner[i]));
    const [x, y, w, h] = cell.hasAttribute("points")
      ? [Math.min(...xs), Math.min(...ys), Math.max(...xs) - Math.min(...xs),
        Math.max(...ys) - Math.min(...ys)]
      : ["x", "y", "width", "height"].map((k) => Number(cell.getAttribute(k)));
    return {x, y, w, h, cx: x + w / 2, cy: y + h / 2};
  }

  /** @param {Element} cell @param {string} kind */
  square(cell, kind) {
    const points = cell.getAttribute("points");
    if (points) return el("polygon", {class: kind, points});
    const {x, y, w, h} = this.box(cell);
    return el("rect", {class: kind, x, y, width: w, height: h});
  }

  /** @param {SVGElement} cell */
  dot(cell) {
    const {cx, cy, w} = this.box(cell);
    const taken = cell.dataset.piece;
    return el("circle", {class: `legal${taken ? " taken" : ""}`, cx, cy, r: w * (taken ? 0.43 : 0.12)});
  }

  /**
   * Of several cells with one name (a column) the one that a disc falls to.
   * @param {string} name
   */
  landing(name) {
    const same = this.named.get(name) ?? [];
    return same.filter((cell) => !cell.dataset.piece).at(-1) ?? same[0];
  }

  /**
   * Point out moves by their texts, each with a weight from 0 to 1 and perhaps a label.
   * @param {[string, number, string?][]} weights
   */
  point(weights) {
    this.pointed = weights;
    this.arrows.replaceChildren(...weights.map(([text, weight, label]) => {
      const move = this.all.find((each) => each.text === text);
      const cells = (move?.cells || []).map((name) => this.landing(name)).filter(Boolean);
      if (!cells.length) return el("g");
      const boxes = cells.map((cell) => this.box(cell));
      if (label === undefined) return pointer(boxes, weight);
      const ring = weight ? pointer(boxes, weight) : null; // the best are ringed
      return el("g", null, ring, written(boxes[0], label));
    }));
  }

  // Touching cells --------------------------------------------------------------------------------

  going() {
    return this.moves.filter((move) => this.touched.every((name, i) => move.cells[i] === name)
      && move.cells.length > this.touched.length);
  }

  /** @param {string} name */
  starts(name) { return this.moves.some((move) => move.cells.length > 1 && move.cells[0] === name); }

  /** @param {string} name */
  touch(name) {
    const single = this.moves.length && this.moves.every((move) => move.cells.length === 1);
    const going = this.going().filter((move) => move.cells[this.touched.length] === name);
    const whole = going.filter((move) => move.cells.length === this.touched.length + 1);
    if (this.planned.join() === name) this.reach([]); // the same again: not planned after all
    else if (whole.length === 1) this.finish(whole[0]);
    else if (whole.length > 1) this.choose(whole);
    else if (going.length) this.reach([...this.touched, name]);
    else if (single) this.play(name); // not legal: the rules say why
    else this.reach(!this.touched.includes(name) && this.starts(name) ? [name] : []);
  }

  /** @param {string[]} touched */
  reach(touched) {
    this.touched = touched;
    this.planned = []; // a plan ends with the next touch
    this.mark();
    if (touched.length) announce(t("cell.chosen", {name: touched.at(-1)}));
  }

  /** @param {Move} move */
  finish(move) {
    this.reach([]);
    this.play(move.text);
  }

  /**
   * Several moves touch the same cells: a pawn becomes which piece?
   * @param {Move[]} moves
   */
  choose(moves) {
    choosePiece(this.root, this.game, moves, (move) => this.finish(move), () => this.reach([]));
  }

  // Mouse and touch -------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  press(event) {
    const cell = cellAt(event.target);
    if (!cell || event.button !== 0) return;
    this.annotations.clear();
    const name = nameOf(cell);
    this.down = {name, x: event.clientX, y: event.clientY, drag: false,
      was: this.touched.includes(name)};
    if (this.starts(name) && this.touched[0] !== name && !this.going().some((move) =>
      this.touched.length && move.cells[this.touched.length] === name)) this.reach([name]);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const down = this.down;
    if (!down || this.touched[0] !== down.name) return;
    const [dx, dy] = [event.clientX - down.x, event.clientY - down.y];
    if (!down.drag && Math.hypot(dx, dy) < DRAG) return;
    if (!down.drag) this.root.setPointerCapture(event.pointerId);
    down.drag = true;
    down.piece ||= this.picture.querySelector(`[data-on="${down.name}"]`);
    if (!down.piece) return;
    const scale = 1 / (this.picture.getScreenCTM()?.a ?? 1);
    down.piece.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
    this.picture.insertBefore(down.piece, this.marks);
    this.root.classList.add("dragging");
  }

  /** @param {PointerEvent} event */
  release(event) {
    const down = this.down;
    if (!down) return;
    const under = cellAt(document.elementFromPoint(event.clientX, event.clientY));
    const name = under?.closest(".board") ? nameOf(under) : undefined;
    const moves = down.drag && under && !this.planning && this.going().some((move) =>
      move.cells[this.touched.length] === name);
    if (moves) this.settle(down, under);
    else this.lay();
    this.root.classList.remove("dragging");
    this.down = null;
    if (!down.drag) {
      if (name !== down.name) return;
      if (this.touched[0] !== name) this.touch(name);
      else if (down.was) this.reach([]);
    } else if (name === undefined || name === down.name) this.reach([]);
    else this.touch(name);
  }

  /**
   * A dragged piece stays where it was put until the server has drawn the move.
   * @param {Press} down
   * @param {SVGElement} cell
   */
  settle(down, cell) {
    const from = this.cells.find((each) => nameOf(each) === down.name);
    const [a, b] = [this.box(from ?? cell), this.box(cell)];
    down.piece?.setAttribute("transform", `translate(${b.x - a.x} ${b.y - a.y})`);
    this.dropped = nameOf(cell);
  }

  // Put a dragged piece back to where it was.
  lay() {
    this.down?.piece?.removeAttribute("transform");
    this.root.classList.remove("dragging");
    this.down = null;
  }

  // Keys ------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    const cell = cellAt(event.target);
    const place = cell ? this.cells.indexOf(cell) : -1;
    if (!cell || place < 0) return;
    const column = place % this.columns;
    const to = {
      ArrowLeft: column > 0 ? place - 1 : place,
      ArrowRight: column < this.columns - 1 ? place + 1 : place,
      ArrowUp: place - this.columns,
      ArrowDown: place + this.columns,
      Home: place - column,
      End: place - column + this.columns - 1,
    }[event.key];
    if (to !== undefined) this.cells[to]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.touch(nameOf(cell));
    else if (event.key === "Escape" && (this.touched.length || this.planned.length)) this.reach([]);
    else return;
    event.preventDefault();
  }

  /** @param {EventTarget | null} target */
  focusOn(target) {
    const cell = cellAt(target);
    const place = cell ? this.cells.indexOf(cell) : -1;
    if (!cell || place < 0) return;
    if (this.focused !== null && this.cells[this.focused]) this.cells[this.focused].tabIndex = -1;
    else this.cells.forEach((each) => { each.tabIndex = -1; });
    this.focused = place;
    cell.tabIndex = 0;
  }
}
