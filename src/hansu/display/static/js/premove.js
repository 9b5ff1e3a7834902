// @ts-check
// A move thought of while the opponent is to move: played at once if it is legal then.

/**
 * Everything that could be thought of: an own piece to any cell, or a piece on an empty cell.
 * @param {Element} picture
 * @param {string} color
 * @param {boolean} slides whether pieces of the game go from cell to cell
 * @returns {import("hansu/board.js").Move[]}
 */
export function plans(picture, color, slides) {
  /** @type {NodeListOf<SVGElement>} */
  const found = picture.querySelectorAll("[data-cell]");
  const cells = [...found].map((cell) => [cell.dataset.cell ?? "", cell.dataset.piece ?? ""]);
  if (!slides) {
    const free = new Set(cells.filter(([, piece]) => !piece).map(([name]) => name));
    return [...free].map((name) => ({text: name, cells: [name]}));
  }
  const own = cells.filter(([, piece]) => piece.startsWith(`${color}_`));
  return own.flatMap(([from]) => cells.filter(([to]) => to !== from)
    .map(([to]) => ({text: `${from} ${to}`, cells: [from, to]})));
}

/**
 * The legal move that was thought of, the strongest promotion of several.
 * @param {import("hansu/board.js").Move[]} moves
 * @param {string[]} planned cells
 */
export const planned = (moves, planned) =>
  moves.filter((move) => move.cells.join(" ") === planned.join(" ")).at(-1);
