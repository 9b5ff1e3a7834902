// @ts-check
// Values and outcomes as the viewer says them.
import {colorName, reasonText} from "hansu/result.js";
import {signed, t} from "hansu/words.js";

/**
 * A value between -1 and 1 as alpha-beta sees it; null is infinite.
 * @param {number | null} value
 * @param {string} [infinite]
 */
export const valueText = (value, infinite = "∞") => (value === null ? infinite : signed(value, 2));

/**
 * How a game ended.
 * @param {{winner: string | null, reason: string}} outcome
 * @param {string} game
 */
export function outcomeText({winner, reason}, game) {
  const why = reasonText(game, reason);
  return winner ? t("viewer.wins", {who: colorName(winner, game), why}) : t("viewer.drawn", {why});
}
