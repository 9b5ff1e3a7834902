// @ts-check
// What is to be said about a game right now: whose turn it is, how it ended.
import {playerName} from "hansu/player_name.js";
import {colorName, resultText} from "hansu/result.js";
import {t} from "hansu/words.js";

/**
 * @param {import("hansu/game.js").Game} game
 * @param {import("hansu/game.js").State} state
 * @param {import("hansu/game.js").Color[]} people
 */
export function statusText(game, state, people) {
  const color = colorName(state.turn, state.name);
  let text = t("turn.other", {color});
  if (state.outcome) text = resultText(state.outcome, state.name);
  else if (state.agreement) text = t("agreement.status");
  else if (!state.moves.length) text = t("agreement.looking");
  else if (game.mine && people.length === 1) text = t("turn.yours", {color});
  else if (state.paused) text = t("turn.paused");
  else if (state.thinking) text = t(state.preparing ? "preparing" : "turn.thinking",
    {name: playerName(state[state.turn])});
  if (game.mine && game.passing()) text += ` ${t("turn.must_pass")}`;
  if (state.warning) text = `${t(`warning.${state.warning}`)} ${text}`;
  if (state.shown !== undefined) {
    text = t("turn.browsing", {turn: state.shown, turns: state.played.length});
  }
  return text;
}
