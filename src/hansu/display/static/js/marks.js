// @ts-check
// What is drawn on a board to point something out: arrows, rings, numbers.
import {el} from "hansu/dom.js";
import {signed} from "hansu/words.js";

const POINTED = 5; // moves of a search, at most

/** @typedef {{x: number, y: number, w: number, h: number, cx: number, cy: number}} Box */

/** @param {Box} box @param {number} weight */
function ring(box, weight) {
  return el("circle", {class: "pointed", cx: box.cx, cy: box.cy, r: box.w * (0.2 + 0.2 * weight),
    "stroke-width": box.w * (0.04 + 0.08 * weight), opacity: 0.35 + 0.65 * weight});
}

/** @param {Box} box @param {string} label */
export function written(box, label) {
  return el("text", {class: "score", x: box.cx, y: box.cy, "font-size": box.w * 0.3}, label);
}

/**
 * An arrow or, where nothing moves, a ring.
 * @param {Box[]} boxes
 * @param {number} weight
 */
export function pointer(boxes, weight) {
  return boxes.length > 1 ? arrow(boxes[0], boxes[boxes.length - 1], weight) : ring(boxes[0], weight);
}

/** @param {Box} from @param {Box} to @param {number} weight */
function arrow(from, to, weight) {
  const length = Math.hypot(to.cx - from.cx, to.cy - from.cy) || 1;
  const [ux, uy] = [(to.cx - from.cx) / length, (to.cy - from.cy) / length];
  const width = from.w * (0.05 + 0.1 * weight);
  const head = 2.4 * width;
  const [bx, by] = [to.cx - ux * head, to.cy - uy * head];
  const corner = (/** @type {number} */ side) =>
    `${bx - side * uy * head * 0.7},${by + side * ux * head * 0.7}`;
  return el("g", {class: "arrow", opacity: 0.35 + 0.5 * weight},
    el("line", {x1: from.cx, y1: from.cy, x2: bx, y2: by, "stroke-width": width}),
    el("polygon", {points: `${to.cx},${to.cy} ${corner(1)} ${corner(-1)}`}));
}

/**
 * The best moves of a search with their weights; those that are proved all, with their scores.
 * @param {{lines: Pick<import("hansu/search.js").SearchLine, "text" | "visits" | "score">[]}} info
 * @returns {[string, number, string?][]}
 */
export function weightsOf({lines}) {
  const scored = lines.filter((line) => typeof line.score === "number");
  if (scored.length) {
    const best = Math.max(...scored.map((line) => line.score ?? 0));
    return scored.map((line) => [line.text, line.score === best ? 1 : 0, signed(line.score ?? 0)]);
  }
  const most = Math.max(...lines.map((line) => line.visits));
  const tried = most ? lines.filter((line) => line.visits) : lines; // a search may have no visits
  return tried.slice(0, POINTED).map((line, rank) => /** @type {[string, number]} */ (
    [line.text, most ? line.visits / most : 1 / (rank + 1)])).reverse();
}

/** @param {SVGElement} cell */
export const nameOf = (cell) => cell.dataset.cell ?? "";

/**
 * The cell in which something is.
 * @param {EventTarget | null} target
 * @returns {SVGGraphicsElement | null}
 */
export const cellAt = (target) => (target instanceof Element ? target.closest("[data-cell]") : null);
