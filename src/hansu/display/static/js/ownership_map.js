// @ts-check
// Who is likely to own the points of a go board: small squares in the owner's colour.
import {el} from "hansu/dom.js";

const UNCLEAR = 0.12; // of certainty: what is less clear is not drawn

/**
 * @typedef {{turn: number, node?: number, black: Record<string, number>}} Owners the share of
 *   playouts in which a point becomes Black's
 */

/**
 * @param {import("hansu/board.js").Board} board
 * @param {Owners | null} owners none: no map
 */
export function ownershipMap(board, owners) {
  const picture = board.root.querySelector("svg");
  picture?.querySelector(".owners")?.remove();
  if (!picture || !owners) return;
  const squares = Object.entries(owners.black).map(([name, share]) => {
    const cell = board.landing(name);
    const sure = Math.abs(2 * share - 1);
    const owner = share > 0.5 ? "black" : "white";
    if (!cell || sure < UNCLEAR || cell.dataset.piece?.startsWith(owner)) return null;
    const {cx, cy, w} = board.box(cell);
    const side = w * (0.2 + 0.26 * sure);
    return el("rect", {class: owner, x: cx - side / 2, y: cy - side / 2,
      width: side, height: side, opacity: (0.5 + 0.5 * sure).toFixed(2)});
  });
  picture.insertBefore(el("g", {class: "owners"}, squares), board.marks);
}

/**
 * The points that each side is expected to have.
 * @param {Owners} owners
 */
export function expected({black}) {
  const shares = Object.values(black);
  const own = shares.reduce((a, b) => a + b, 0);
  return {black: own, white: shares.length - own};
}
