// @ts-check
// Moves, results and evidence in words.
import {el} from "hansu/dom.js";
import {has, number, ofGame, t} from "hansu/words.js";

/**
 * @typedef {object} Outcome
 * @property {string | null} winner
 * @property {string} reason
 * @property {number | null} margin
 * @property {number} turns
 * @property {{what: string, white: number, black: number} | null} counted
 *
 * @typedef {Record<string, string> & {kind: string, text: string}} Evidence
 */

/**
 * White is yellow in one game and a cross in another.
 * @param {string} color
 * @param {string | null} game
 */
export const colorName = (color, game) => ofGame("color", game, color);

/**
 * Why a game ended; a game that has no words here is taken at its own.
 * @param {string | null} game
 * @param {string} reason
 * @param {Record<string, any>} [values]
 */
export function reasonText(game, reason, values = {}) {
  const known = has(`reason.${game}.${reason}`) || has(`reason.${reason}`);
  return known ? ofGame("reason", game, reason, values) : reason.replaceAll("_", " ");
}

/** @param {Outcome} outcome @param {string} game */
export function resultText(outcome, game) {
  const {winner, reason, turns, counted} = outcome;
  if (reason === "unfinished") return t("reason.unfinished");
  const whole = winner && has(`result.${game}.${reason}`); // "wins by resignation", in one word
  if (whole) return t(`result.${game}.${reason}`, {color: colorName(winner, game)});
  const who = winner ? t("result.wins", {color: colorName(winner, game)}) : t("result.draw");
  const why = reasonText(game, reason, {turns: number(turns)});
  if (!counted) return t("result.plain", {who, why});
  const [high, low] = [counted.white, counted.black].sort((a, b) => b - a);
  return t("result.counted", {who, why, high: number(high, 1), low: number(low, 1),
    what: t(`counted.${counted.what}`)});
}

/** @param {string} move as the game writes it; a pass, a swap and a resignation have words */
export const moveText = (move) => (has(`move.${move}`) ? t(`move.${move}`) : move);

/**
 * Evidence in the page's words; what it has none for stays English.
 * @param {Evidence | null} evidence
 */
export function evidenceText(evidence) {
  if (!evidence) return null;
  return has(`evidence.${evidence.kind}`)
    ? el("small", null, t(`evidence.${evidence.kind}`, evidence))
    : el("small", {lang: "en"}, evidence.text);
}

/**
 * Show a board of hansu's own drawing, its words in the page's language.
 * @param {Element} root
 * @param {string} svg
 */
export function showPicture(root, svg) {
  root.innerHTML = svg;
  const {width, height} = /** @type {SVGSVGElement} */ (root.firstElementChild).viewBox.baseVal;
  root.parentElement?.style.setProperty("--ratio", String(width / height)); // how wide it is laid out
  for (const note of root.querySelectorAll("[data-passed]")) {
    const color = colorName(note.getAttribute("data-passed") ?? "", null);
    note.textContent = t("move.passed", {color});
  }
}

/** @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.ceil(left);
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}
