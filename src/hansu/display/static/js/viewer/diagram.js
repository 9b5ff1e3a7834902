// @ts-check
// A growing tree, drawn from the root down.
import {el} from "hansu/dom.js";
import {number, percent, t} from "hansu/words.js";
import {valueText} from "hansu/viewer/text.js";

const ACROSS = 58, DOWN = 78, EDGE = 34, RADIUS = 17;

/** @typedef {import("hansu/viewer/growth.js").TreeNode} TreeNode */

/**
 * @param {import("hansu/viewer/growth.js").Growth} growth
 * @param {boolean} minimax
 */
export function diagram(growth, minimax) {
  /** @type {Map<number, {x: number, y: number}>} */
  const placed = new Map();
  const at = (/** @type {number} */ number) => /** @type {{x: number, y: number}} */ (placed.get(number));
  let free = 0, deepest = 0;
  const shown = (/** @type {number} */ number) => {
    const node = growth.get(number);
    if (minimax) return !node.done || growth.onPath.has(number) ? node.children : [];
    return node.children.filter((child) => growth.get(child).visits || growth.onPath.has(child));
  };
  const place = (/** @type {number} */ number, /** @type {number} */ depth) => {
    deepest = Math.max(deepest, depth);
    const below = shown(number);
    for (const child of below) place(child, depth + 1);
    const x = below.length ? (at(below[0]).x + at(below[below.length - 1]).x) / 2
      : EDGE + ACROSS * free++;
    placed.set(number, {x, y: EDGE + DOWN * depth});
  };
  place(0, 0);
  const width = 2 * EDGE + ACROSS * Math.max(0, free - 1);
  const height = 2 * EDGE + DOWN * deepest + 18;
  const [edges, nodes] = [/** @type {Node[]} */ ([]), /** @type {Node[]} */ ([])];
  for (const [place, {x, y}] of placed) {
    const node = growth.get(place);
    const kind = (growth.onPath.has(place) ? " sv-way" : "") +
      (place === growth.current ? " sv-here" : "") + (node.result === "fail_high" ? " sv-high" : "");
    if (node.parent !== null) {
      const above = at(node.parent);
      edges.push(el("line", {class: "sv-edge" + kind, x1: above.x, y1: above.y, x2: x, y2: y}));
    }
    nodes.push(el("g", {class: "sv-node" + kind},
      minimax ? el("rect", {x: x - 26, y: y - 13, width: 52, height: 26, rx: 8})
        : el("circle", {cx: x, cy: y, r: RADIUS}),
      place ? el("text", {x, y: y - (minimax ? 18 : 22), class: "sv-move"}, node.move) : null,
      el("text", {x, y: y + 4.5}, minimax ? boundText(node) : number(node.visits)),
      el("text", {x, y: y + (minimax ? 27 : 31), class: "sv-small"}, smallText(node, minimax))));
  }
  const drawn = el("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": t("viewer.steps.diagram")}, edges, nodes);
  return {drawn, here: at(placed.has(growth.current) ? growth.current : 0)};
}

/** @param {TreeNode} node */
function boundText(node) {
  if (node.value === null) return "?";
  const sign = node.result === "fail_high" ? "≥" : node.result === "fail_low" ? "≤" : "";
  return sign + valueText(node.value);
}

/** @param {TreeNode} node @param {boolean} minimax */
function smallText(node, minimax) {
  if (minimax) return node.pruned ? "✂ " + number(node.pruned) : "";
  return node.visits && node.value !== null ? percent(node.value) : "";
}
