// @ts-check
// Arrows and circles that a visitor draws on a board with the right button, as on other pages.
import {el} from "hansu/dom.js";
import {cellAt, nameOf, pointer} from "hansu/marks.js";

const RIGHT = 2;

export class Annotations {
  /** @param {import("hansu/board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Set<string>} */
    this.drawn = new Set(); // "a1 b3", or "a1 a1" for a circle
    /** @type {string | null} */
    this.from = null;
    this.layer = el("g");
    board.root.addEventListener("contextmenu", (event) => event.preventDefault());
    board.root.addEventListener("pointerdown", (event) => {
      const cell = event.button === RIGHT ? cellAt(event.target) : null;
      this.from = cell && nameOf(cell);
    });
    board.root.addEventListener("pointerup", (event) => this.release(event));
  }

  /** @param {PointerEvent} event */
  release(event) {
    const cell = cellAt(document.elementFromPoint(event.clientX, event.clientY));
    if (event.button === RIGHT && this.from !== null && cell) {
      const pair = `${this.from} ${nameOf(cell)}`;
      if (!this.drawn.delete(pair)) this.drawn.add(pair);
      this.draw();
    }
    this.from = null;
  }

  /**
   * Draw them on a new picture of the board, which may have been turned round.
   * @param {SVGSVGElement} picture
   * @param {SVGElement} grid
   */
  layOn(picture, grid) {
    this.layer = el("g", {class: "arrows drawn"});
    picture.insertBefore(this.layer, grid);
    this.draw();
  }

  draw() {
    this.layer.replaceChildren(...[...this.drawn].map((pair) => {
      const names = [...new Set(pair.split(" "))];
      const cells = names.map((name) => this.board.landing(name)).filter(Boolean);
      return cells.length ? pointer(cells.map((cell) => this.board.box(cell)), 0.7) : el("g");
    }));
  }

  clear() {
    if (!this.drawn.size) return;
    this.drawn.clear();
    this.draw();
  }
}
