// @ts-check
// A player beside the board: name, what it counts, clock.
import {piecePicture} from "hansu/chooser.js";
import {el} from "hansu/dom.js";
import {clockText, colorName} from "hansu/result.js";
import {number, t} from "hansu/words.js";

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

/**
 * Show what a player is called and counts, and whether it is to move.
 * @param {ReturnType<typeof playerBar>} bar
 * @param {import("hansu/game.js").State} state
 * @param {import("hansu/game.js").Color} color
 * @param {string} name
 */
export function showPlayer(bar, state, color, name) {
  const other = color === "white" ? "black" : "white";
  bar.name.textContent = name;
  bar.root.classList.toggle("turn", state.turn === color && !state.outcome && !state.agreement);
  bar.root.classList.toggle("busy", state.turn === color && state.thinking);
  bar.tally.replaceChildren(
    ...takenPieces(state.name, state.captured[other] ?? []),
    ...Object.entries(state.tally).map(([what, both]) =>
      el("span", {title: t(`tally.${what}`)}, `${t(`tally.${what}`)} ${
        number(both[color === "white" ? 0 : 1], 1)}`)));
  bar.clock.hidden = !state.clock;
  bar.root.title = colorName(color, state.name);
}

/**
 * Show what both clocks say by now.
 * @param {Record<string, ReturnType<typeof playerBar>>} bars
 * @param {import("hansu/game.js").State} state
 * @param {number} at when the state was told
 */
export function showClocks(bars, {clock, turn}, at) {
  if (!clock) return;
  for (const color of /** @type {const} */ (["white", "black"])) {
    const runs = clock.running && turn === color;
    const left = clock[color] - (runs ? (performance.now() - at) / 1000 : 0);
    bars[color].clock.textContent = clockText(left);
    bars[color].clock.classList.toggle("low", left < 10);
  }
}
