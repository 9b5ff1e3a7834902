// @ts-check
// A player beside the board: name, what it counts, clock.
import {piecePicture} from "hansu/chooser.js";
import {el} from "hansu/dom.js";
import {t} from "hansu/words.js";

export function playerBar() {
  const [name, tally, clock] = [el("b"), el("span", {class: "tally"}), el("span", {class: "clock"})];
  const root = el("div", {class: "player"},
    el("i", {class: "stone"}), el("span", {class: "who"}, name,
      el("span", {class: "thinking", "aria-hidden": "true"})), tally, clock);
  return {name, tally, clock, root};
}

/**
 * Pictures of the pieces that a player has taken.
 * @param {string} game
 * @param {string[]} pieces
 */
export function takenPieces(game, pieces) {
  if (!pieces.length) return [];
  const named = pieces.map((piece) => t(`piece.${piece}`)).join(", ");
  return [el("span", {class: "captured", role: "img", "aria-label": t("captured", {pieces: named})},
    pieces.map((piece) => el("img", {src: piecePicture(game, piece), alt: "", width: 22, height: 22})))];
}
