// @ts-check
// Why a position or a part of a file cannot be read, in the page's words where it has some.
import {t} from "hansu/words.js";

/**
 * @typedef {{text: string, kind: string, line?: string | null, game?: string | null,
 *   turn?: string | null, left?: boolean, more?: string | null, others?: string | null,
 *   values?: Record<string, string>}} Why
 */

const SIDES = /^(White|Black)$/;

/** @param {Why} why */
export function whyText({text, kind, line, game, turn, left, more, others, values = {}}) {
  if (!kind) return text;
  const place = [line && t("why.line", {line}), game && t("why.game", {game}),
    turn && t("why.turn", {turn})].filter(Boolean).join(", ");
  const named = Object.fromEntries(Object.entries(values).map(([name, value]) =>
    [name, SIDES.test(value) ? t(`color.${value.toLowerCase()}`) : value]));
  const said = [t(`why.${kind}`, named), left ? t(more ? "why.left_more" : "why.left", {more}) : "",
    others ? t("why.others", {others}) : ""].join("");
  return place ? `${place}: ${said}` : said;
}
