// A growing tree, drawn from the root down.
import {el} from "./element.js";

const ACROSS = 58, DOWN = 78, EDGE = 34, RADIUS = 17;

export function diagram(growth, words, minimax) {
  const placed = new Map();
  let free = 0, deepest = 0;
  const shown = (number) => {
    const node = growth.get(number);
    if (minimax) return !node.done || growth.way.has(number) ? node.children : [];
    return node.children.filter((child) => growth.get(child).visits || growth.way.has(child));
  };
  const place = (number, depth) => {
    deepest = Math.max(deepest, depth);
    const below = shown(number);
    for (const child of below) place(child, depth + 1);
    const [first, last] = [placed.get(below[0]), placed.get(below.at(-1))];
    const x = below.length ? (first.x + last.x) / 2 : EDGE + ACROSS * free++;
    placed.set(number, {x, y: EDGE + DOWN * depth});
  };
  place(0, 0);
  const width = 2 * EDGE + ACROSS * Math.max(0, free - 1);
  const height = 2 * EDGE + DOWN * deepest + 18;
  const edges = [], nodes = [];
  for (const [number, at] of placed) {
    const node = growth.get(number);
    const kind = (growth.way.has(number) ? " sv-way" : "") +
      (number === growth.current ? " sv-here" : "") + (node.result === "fail_high" ? " sv-high" : "");
    if (number) {
      const above = placed.get(node.parent);
      edges.push(el("line", {class: "sv-edge" + kind, x1: above.x, y1: above.y, x2: at.x, y2: at.y}));
    }
    nodes.push(el("g", {class: "sv-node" + kind},
      minimax ? el("rect", {x: at.x - 26, y: at.y - 13, width: 52, height: 26, rx: 8})
        : el("circle", {cx: at.x, cy: at.y, r: RADIUS}),
      number ? el("text", {x: at.x, y: at.y - (minimax ? 18 : 22), class: "sv-move"}, node.move) : null,
      el("text", {x: at.x, y: at.y + 4.5}, minimax ? valueText(node, words) : words.whole.format(node.visits)),
      el("text", {x: at.x, y: at.y + (minimax ? 27 : 31), class: "sv-small"}, smallText(node, words, minimax))));
  }
  const drawn = el("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": words.t("steps.diagram")}, edges, nodes);
  return {drawn, here: placed.get(growth.current) ?? placed.get(0)};
}

function valueText(node, words) {
  if (node.value === null) return "?";
  const sign = {fail_high: "≥", fail_low: "≤"}[node.result] ?? "";
  return sign + words.value(node.value);
}

function smallText(node, words, minimax) {
  if (minimax) return node.pruned ? "✂ " + words.whole.format(node.pruned) : "";
  return node.visits ? words.whole.format(100 * node.value) + " %" : "";
}
