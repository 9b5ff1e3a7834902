// @ts-check
// The moves that a search looks at, as colours on the board: the warmer, the more.

const PLAIN = ["role", "data-cell", "data-piece", "tabindex", "aria-label", "aria-selected", "class"];

/**
 * @param {import("hansu/board.js").Board} board
 * @param {import("hansu/search.js").Info | null} info none: no map
 */
export function heatMap(board, info) {
  const picture = board.root.querySelector("svg");
  picture?.querySelector(".heat")?.remove();
  if (!picture || !info) return;
  const most = Math.max(...info.lines.map((line) => line.visits));
  /** @type {Map<SVGElement, number>} */
  const warmth = new Map();
  for (const line of info.lines) {
    const move = board.all.find(({text}) => text === line.text);
    const cell = move && board.landing(move.cells[move.cells.length - 1]);
    const weight = most ? line.visits / most : line.value;
    if (cell) warmth.set(cell, Math.max(weight, warmth.get(cell) ?? 0));
  }
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("class", "heat");
  for (const [cell, weight] of warmth) {
    const patch = /** @type {SVGElement} */ (cell.cloneNode());
    for (const name of PLAIN) patch.removeAttribute(name);
    patch.setAttribute("fill", "#d2491e");
    patch.setAttribute("fill-opacity", (0.08 + 0.62 * weight).toFixed(2));
    group.append(patch);
  }
  picture.insertBefore(group, board.marks);
}
